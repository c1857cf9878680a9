import DaybookProtocol
import FileStore
import JSON

/// The end of the log, read over all its files.
package struct LogTail: Sendable {
  /// How many lines can be asked for.
  package static let counts = 1...1000

  /// What was found.
  package struct Found: Sendable, Equatable {
    /// In the order in which they were written, the newest last.
    package var lines: [LogLine] = []
    /// Lines that were met on the way and could not be read.
    package var damagedLines = 0
  }

  private let dataFolder: String
  private let fileSystem: any FileSystem

  /// The log in the data folder at that path.
  package init(dataFolder: String, fileSystem: any FileSystem = PosixFileSystem()) {
    self.dataFolder = dataFolder
    self.fileSystem = fileSystem
  }

  /// The last lines of that level and graver ones, of one category or all; none when there is no log. Reads no further back than it
  /// must. Throws `outOfRange` for a count outside `counts`, and `unreadable`.
  package func last(
    _ count: Int, level: Log.Level = .trace, category: LogCategory? = nil
  ) throws(DiagnosticsError) -> Found {
    guard LogTail.counts.contains(count) else {
      throw DiagnosticsError(.outOfRange, "From 1 to 1000 lines can be read, not \(count).")
    }
    do throws(FileSystemError) {
      guard let place = try LogPlace.open(forReading: dataFolder, fileSystem) else { return Found() }
      let files = try open(in: place)
      defer { for file in files { fileSystem.close(file) } }
      var found = Found()
      for file in files where found.lines.count < count {
        try read(file, count, level, category, &found)
      }
      found.lines.reverse()
      return found
    } catch { throw DiagnosticsError(reading: error) }
  }

  /// The files that there are, the newest first. All are opened before any is read: one that gets another name meanwhile is met twice
  /// rather than missed, and then told by its identity.
  private func open(in place: borrowing LogPlace) throws(FileSystemError) -> [Descriptor] {
    var files: [Descriptor] = []
    var seen: [FileStatus] = []
    do throws(FileSystemError) {
      for number in 0..<LogPlace.fileCount {
        guard let file = try place.open(LogPlace.name(number), for: .reading) else { continue }
        files.append(file)
        let status = try fileSystem.status(of: file)
        if seen.contains(where: { $0.isSameFile(as: status) }) {
          files.removeLast()
          fileSystem.close(file)
        }
        seen.append(status)
      }
      return files
    } catch {
      for file in files { fileSystem.close(file) }
      throw error
    }
  }

  /// Adds lines of a file, the newest first, until there are enough.
  private func read(
    _ file: Descriptor, _ count: Int, _ level: Log.Level, _ category: LogCategory?, _ found: inout Found
  ) throws(FileSystemError) {
    var lines = try BackwardLines(file, fileSystem)
    while found.lines.count < count, let line = try lines.next() {
      guard case .whole(let text) = line, let line = try? LogLine(json: text) else {
        found.damagedLines += 1
        continue
      }
      guard let weight = line.weight, weight <= level, category == nil || category?.name == line.category else {
        continue
      }
      found.lines.append(line)
    }
  }
}
