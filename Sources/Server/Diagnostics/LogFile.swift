import FileStore
import Platform

/// The file that lines of the log are appended to, which any number of processes share.
///
/// Nothing is kept open: another process may give the file another name at any time, and the folder may be exchanged.
struct LogFile: Sendable {
  /// What became of lines.
  enum Outcome: Sendable, Equatable {
    case written
    /// There is no data folder yet, or nothing in it.
    case noPlace
    case failed
  }

  /// Bytes from which on a file is not written to any more.
  static let usualLimit = 1 << 20
  /// How often a full file is looked at again.
  private static let attempts = 12

  let dataFolder: String
  let fileSystem: any FileSystem
  let limit: Int
  /// Whether the last line written was cut off.
  private var isTorn = false

  init(dataFolder: String, fileSystem: any FileSystem = PosixFileSystem(), limit: Int = LogFile.usualLimit) {
    self.dataFolder = dataFolder
    self.fileSystem = fileSystem
    self.limit = limit
  }

  /// Appends whole lines with one call. A failure is told, never thrown.
  mutating func append(_ lines: [UInt8]) -> Outcome {
    do throws(FileSystemError) {
      guard let place = try LogPlace.open(forWriting: dataFolder, fileSystem) else { return .noPlace }
      let file = try current(in: place, room: lines.count)
      defer { fileSystem.close(file) }
      // Lest the line that was cut off spoils the next one too.
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

  /// The file to append to, open; if it is full, that is a new one.
  private func current(in place: borrowing LogPlace, room: Int) throws(FileSystemError) -> Descriptor {
    let name = LogPlace.name(0)
    for attempt in 0..<LogFile.attempts {
      let file = try place.openOrCreate(name, for: .appending)
      do throws(FileSystemError) {
        let size = try fileSystem.status(of: file).size
        guard isFull(size, room) else { return file }
        if try !rotate(in: place, room: room) {
          // The process that rotates has not come to it yet. A file that no process rotates must not grow for ever.
          if size <= 2 * limit { return file }
          guard attempt < LogFile.attempts - 1 else {
            throw FileSystemError(
              call: "rename", path: file.path, reason: .noSpace, errno: 0,
              text: "the file is full, and stays in its place")
          }
          // It may only be slow: half a second in all. Nobody but the writer of the log waits.
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

  /// Gives each file the next name, so that the first one is free and the oldest one gone; false when another process is at it.
  private func rotate(in place: borrowing LogPlace, room: Int) throws(FileSystemError) -> Bool {
    let lock = try place.openOrCreate(LogPlace.lockName, for: .updating)
    defer { fileSystem.close(lock) }
    guard try fileSystem.lock(lock, .exclusive) else { return false }
    // Not left to the closing: a program that is being started meanwhile has the file open too, for a moment.
    defer { fileSystem.unlock(lock) }
    // Another process may have done it since the file was looked at.
    guard let size = try size(LogPlace.name(0), place), isFull(size, room) else { return true }
    // Only up to the first gap, which a process leaves that is killed here: then nothing is lost but the oldest file.
    var gap = 1
    while gap < LogPlace.fileCount - 1, try self.size(LogPlace.name(gap), place) != nil { gap += 1 }
    for number in stride(from: gap, to: 0, by: -1) {
      try fileSystem.rename(
        LogPlace.name(number - 1), in: place.folder, to: LogPlace.name(number), in: place.folder)
    }
    return true
  }

  private func size(_ name: String, _ place: borrowing LogPlace) throws(FileSystemError) -> Int? {
    do throws(FileSystemError) { return try fileSystem.status(of: name, in: place.folder).size } catch {
      if error.reason == .notFound { return nil }
      throw error
    }
  }
}
