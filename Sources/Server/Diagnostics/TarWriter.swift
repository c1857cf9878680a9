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

/// The header block of a file in a ustar archive.
struct TarHeader {
  /// The maximum length of a file in bytes: eleven octal digits.
  static let largestFile = (1 << 33) - 1

  let bytes: [UInt8]

  /// Nil when the name or size does not fit. A name is relative, without empty parts, `.` or `..`; it has at most 100
  /// bytes, or a slash with at most 155 bytes before it and 100 after it.
  init?(name: String, size: Int, modifiedAt: Instant) {
    guard (0...TarHeader.largestFile).contains(size), let (prefix, rest) = TarHeader.split(name) else { return nil }
    var block = [UInt8](repeating: 0, count: TarWriter.block)
    func put(_ text: some Sequence<UInt8>, at offset: Int) {
      for (index, byte) in text.enumerated() { block[offset + index] = byte }
    }
    func put(octal number: Int, digits: Int, at offset: Int) {
      let text = String(number, radix: 8)
      put((String(repeating: "0", count: max(0, digits - text.utf8.count)) + text).utf8, at: offset)
    }
    put(rest, at: 0)
    put(octal: 0o600, digits: 7, at: 100)
    // The owner is omitted, because the archive is made to be shared.
    put(octal: 0, digits: 7, at: 108)
    put(octal: 0, digits: 7, at: 116)
    put(octal: size, digits: 11, at: 124)
    let seconds = min(max(0, modifiedAt.milliseconds / 1000), Int64(TarHeader.largestFile))
    put(octal: Int(seconds), digits: 11, at: 136)
    put([UInt8](repeating: UInt8(ascii: " "), count: 8), at: 148)
    block[156] = UInt8(ascii: "0")
    put("ustar\0".utf8, at: 257)
    put("00".utf8, at: 263)
    put(prefix, at: 345)
    // The checksum is computed with blanks in its own place.
    put(octal: block.reduce(0) { $0 + Int($1) }, digits: 6, at: 148)
    block[154] = 0
    bytes = block
  }

  private static let longestName = 100
  private static let longestPrefix = 155

  private static func split(_ name: String) -> (prefix: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }), !name.utf8.contains(0) else { return nil }
    let bytes = Array(name.utf8)
    if bytes.count <= longestName { return ([], bytes[...]) }
    let slash = bytes.indices.first {
      bytes[$0] == UInt8(ascii: "/") && bytes.count - $0 - 1 <= longestName
    }
    guard let slash, slash <= longestPrefix else { return nil }
    return (bytes[..<slash], bytes[(slash + 1)...])
  }
}
