import FileStore
import Platform

/// The log file, which any number of processes append to.
///
/// It is opened for each write: another process may rename it at any time, and the folder may be replaced.
struct LogFile: Sendable {
  enum Outcome: Sendable, Equatable {
    case written
    /// There is no data folder, or it is empty.
    case noFolder
    case failed
  }

  /// The length in bytes from which a file is rotated.
  static let usualLimit = 1 << 20
  /// How often a full file is checked again.
  private static let attempts = 12

  let dataFolder: String
  let fileSystem: any FileSystem
  let limit: Int
  /// Whether the last line was written partially.
  private var isTorn = false

  init(dataFolder: String, fileSystem: any FileSystem = PosixFileSystem(), limit: Int = LogFile.usualLimit) {
    self.dataFolder = dataFolder
    self.fileSystem = fileSystem
    self.limit = limit
  }

  /// Appends whole lines with one call. Returns a failure rather than throwing it.
  mutating func append(_ lines: [UInt8]) -> Outcome {
    do throws(FileSystemError) {
      guard let place = try LogFolder.open(forWriting: dataFolder, fileSystem) else { return .noFolder }
      let file = try current(in: place, room: lines.count)
      defer { fileSystem.close(file) }
      // Terminates the partial line, so that it does not damage the next one.
      let bytes = isTorn ? [UInt8(ascii: "\n")] + lines : lines
      var count = 0
      var failure: FileSystemError?
      bytes.withUnsafeBytes { buffer in
        do throws(FileSystemError) { count = try fileSystem.append(buffer, to: file) } catch { failure = error }
      }
      if let failure { throw failure }
      if count > 0 { isTorn = count < bytes.count }
      return count == bytes.count ? .written : .failed
    } catch { return .failed }
  }

  /// Opens the file to append to, after rotating a full one.
  private func current(in place: borrowing LogFolder, room: Int) throws(FileSystemError) -> Descriptor {
    let name = LogFolder.name(0)
    for attempt in 0..<LogFile.attempts {
      let file = try place.openOrCreate(name, for: .appending)
      do throws(FileSystemError) {
        let size = try fileSystem.status(of: file).size
        guard isFull(size, room) else { return file }
        if try !rotate(in: place, room: room) {
          // Another process is about to rotate. A file that no process rotates must not grow without limit.
          if size <= 2 * limit { return file }
          guard attempt < LogFile.attempts - 1 else {
            throw FileSystemError(
              call: "rename", path: file.path, reason: .noSpace, errno: 0,
              text: "the file is full, and stays in its place")
          }
          // The other process may be slow: waits half a second in all. Only the log's own thread waits.
          Threads.rest(milliseconds: Int32(attempt * attempt))
        }
      } catch {
        fileSystem.close(file)
        throw error
      }
      fileSystem.close(file)
    }
    return try place.openOrCreate(name, for: .appending)
  }

  private func isFull(_ size: Int, _ room: Int) -> Bool { size > 0 && size > limit - room }

  /// Renames each file to the next number, which replaces the oldest; false when another process holds the lock.
  private func rotate(in place: borrowing LogFolder, room: Int) throws(FileSystemError) -> Bool {
    let lock = try place.openOrCreate(LogFolder.lockName, for: .updating)
    defer { fileSystem.close(lock) }
    guard try fileSystem.lock(lock, .exclusive) else { return false }
    // Closing is not enough: a child process that is being started briefly shares the open file.
    defer { fileSystem.unlock(lock) }
    // Another process may have rotated since the check.
    guard let size = try size(LogFolder.name(0), place), isFull(size, room) else { return true }
    // Stops at the first gap, which a process leaves when it is killed here: then only the oldest file is lost.
    var gap = 1
    while gap < LogFolder.fileCount - 1, try self.size(LogFolder.name(gap), place) != nil { gap += 1 }
    for number in stride(from: gap, to: 0, by: -1) {
      try fileSystem.rename(
        LogFolder.name(number - 1), in: place.folder, to: LogFolder.name(number), in: place.folder)
    }
    return true
  }

  private func size(_ name: String, _ place: borrowing LogFolder) throws(FileSystemError) -> Int? {
    do throws(FileSystemError) { return try fileSystem.status(of: name, in: place.folder).size } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }
}
