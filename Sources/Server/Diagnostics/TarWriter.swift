import CivilTime
import FileStore

/// Writes an archive in the ustar format (POSIX.1-1988) to an open file, one entry after the other. Every entry is a file of mode
/// 0600.
struct TarWriter {
  /// Bytes of a block; everything in an archive is a multiple of it.
  static let block = 512
  /// Bytes that the end of an archive takes.
  static let endLength = 2 * block

  private let fileSystem: any FileSystem
  private let file: Descriptor
  /// Bytes written so far.
  private(set) var length = 0

  /// Appends to a file that is open for it, and stays the caller's.
  init(_ file: Descriptor, _ fileSystem: any FileSystem) {
    self.file = file
    self.fileSystem = fileSystem
  }

  /// Bytes of an archive that an entry with that much content takes.
  static func length(of count: Int) -> Int { block + count + padding(count) }

  private static func padding(_ count: Int) -> Int { (block - count % block) % block }

  /// Adds a file. Throws `invalidName`, `tooLarge` (from 8 GiB on), and what writing meets.
  mutating func add(_ name: String, _ content: [UInt8], modifiedAt: Instant) throws(DiagnosticsError) {
    guard let header = TarHeader(name: name, size: content.count, modifiedAt: modifiedAt) else {
      throw DiagnosticsError(
        content.count > TarHeader.largestFile ? .tooLarge : .invalidName, "“\(name)” cannot be put into an archive.")
    }
    try write(header.bytes)
    try write(content)
    try write([UInt8](repeating: 0, count: TarWriter.padding(content.count)))
  }

  /// Ends the archive; returns when it is on the medium.
  mutating func finish() throws(DiagnosticsError) {
    try write([UInt8](repeating: 0, count: TarWriter.endLength))
    do throws(FileSystemError) { try fileSystem.synchronizeFile(file) } catch { throw DiagnosticsError(writing: error) }
  }

  private mutating func write(_ bytes: [UInt8]) throws(DiagnosticsError) {
    var failure: FileSystemError?
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      do throws(FileSystemError) {
        while !rest.isEmpty {
          let count = try fileSystem.append(UnsafeRawBufferPointer(rebasing: rest), to: file)
          if count == 0 {
            throw FileSystemError(
              call: "write", path: file.path, reason: .noSpace, errno: 0, text: "nothing was written")
          }
          rest = rest.dropFirst(count)
        }
      } catch { failure = error }
    }
    if let failure { throw DiagnosticsError(writing: failure) }
    length += bytes.count
  }
}
