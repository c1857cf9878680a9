import CivilTime
import FileStore

/// Writes a ustar archive (POSIX.1-1988) to an open file, entry by entry. Every entry is a file of mode 0600.
struct TarWriter {
  /// The length of a block in bytes; every part of an archive is a multiple of it.
  static let block = 512
  /// The length of the end of an archive in bytes.
  static let endLength = 2 * block

  private let fileSystem: any FileSystem
  private let file: Descriptor
  /// Bytes written so far.
  private(set) var length = 0

  /// Appends to an open file, whose descriptor the caller keeps.
  init(_ file: Descriptor, _ fileSystem: any FileSystem) {
    self.file = file
    self.fileSystem = fileSystem
  }

  /// The length of an entry in bytes, given that of its content.
  static func length(of count: Int) -> Int { block + count + padding(count) }

  private static func padding(_ count: Int) -> Int { (block - count % block) % block }

  /// Adds a file. Throws `invalidName`, `tooLarge` (from 8 GiB on), and errors of writing.
  mutating func add(_ name: String, _ content: [UInt8], modifiedAt: Instant) throws(DiagnosticsError) {
    guard let header = TarHeader(name: name, size: content.count, modifiedAt: modifiedAt) else {
      throw DiagnosticsError(
        content.count > TarHeader.largestFile ? .tooLarge : .invalidName, "“\(name)” cannot be put into an archive.")
    }
    try write(header.bytes)
    try write(content)
    try write([UInt8](repeating: 0, count: TarWriter.padding(content.count)))
  }

  /// Ends the archive, and synchronizes the file.
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
