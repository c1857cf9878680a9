import DaybookProtocol
import FileStore

package struct LogTail: Sendable {
  /// The permitted numbers of lines.
  package static let counts = 1...1000

  package struct Found: Sendable, Equatable {
    /// In the order in which they were written, newest last.
    package var lines: [LogLine] = []
    /// The number of lines that could not be read.
    package var damagedLines = 0
  }

  private let dataFolder: String
  private let fileSystem: any FileSystem

  package init(dataFolder: String, fileSystem: any FileSystem = PosixFileSystem()) {
    self.dataFolder = dataFolder
    self.fileSystem = fileSystem
  }

  /// The last lines of at least this severity, of one category or all; none without a log. Reads no further back than
  /// necessary. Throws `outOfRange` for a count outside `counts`, and `unreadable`.
  package func last(
    _ count: Int, level: Log.Level = .trace, category: LogCategory? = nil
  ) throws(DiagnosticsError) -> Found {
    guard LogTail.counts.contains(count) else {
      throw DiagnosticsError(.outOfRange, "From 1 to 1000 lines can be read, not \(count).")
    }
    do throws(FileSystemError) {
      guard let place = try LogFolder.open(forReading: dataFolder, fileSystem) else { return Found() }
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

  /// The log files, newest first. All are opened before any is read: one that is renamed meanwhile is found twice
  /// rather than missed, and then recognized by its identity.
  private func open(in place: borrowing LogFolder) throws(FileSystemError) -> [Descriptor] {
    var files: [Descriptor] = []
    var seen: [FileStatus] = []
    do throws(FileSystemError) {
      for number in 0..<LogFolder.fileCount {
        guard let file = try place.open(LogFolder.name(number), for: .reading) else { continue }
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

  /// Adds lines of a file, newest first, until there are enough.
  private func read(
    _ file: Descriptor, _ count: Int, _ level: Log.Level, _ category: LogCategory?, _ found: inout Found
  ) throws(FileSystemError) {
    var lines = try BackwardLines(file, fileSystem)
    while found.lines.count < count, let line = try lines.next() {
      guard case .whole(let text) = line, let line = try? LogLine(json: text) else {
        found.damagedLines += 1
        continue
      }
      guard let weight = line.weight, weight <= level, category == nil || category?.rawValue == line.category else {
        continue
      }
      found.lines.append(line)
    }
  }
}

/// A line of the log file is a JSON object; members of newer versions are skipped.
extension LogLine {
  /// The maximum length of a message in UTF-8 bytes.
  package static let longestMessage = 4000
  /// The maximum length of a line in bytes; an escaped control character takes six.
  package static let longest = 32 << 10

  init(at: Instant, level: Log.Level, category: String, message: String, process: Int) {
    self.init(
      at: at, level: LogLevel.known[level.rawValue], category: category, message: LogLine.cut(message), pid: process)
  }

  /// Its level; nil for one of a newer version.
  var weight: Log.Level? { Log.Level(name: level.rawValue) }

  /// The message, truncated to the maximum length.
  private static func cut(_ message: String) -> String {
    guard message.utf8.count > longestMessage else { return message }
    var length = 0
    var kept = String.UnicodeScalarView()
    for scalar in message.unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= longestMessage else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}
