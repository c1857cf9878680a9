import DaybookProtocol
import FileStore

/// The lines of a file in reverse order, read in blocks from its end. Holds at most one block and one line in memory.
struct BackwardLines: ~Copyable {
  enum Line: Sendable, Equatable {
    case whole([UInt8])
    /// A line longer than any that is written, skipped.
    case tooLong
  }

  private let fileSystem: any FileSystem
  private let file: Descriptor
  private let block: Int
  private let longest: Int
  /// The offset of `bytes` in the file.
  private var start: Int
  /// The bytes that were read and not returned yet, up to the end of a line.
  private var bytes: [UInt8] = []
  /// Whether the last line in `bytes` is already too long, and is being skipped.
  private var isPassing = false

  /// Starts at the present end of the file. The caller keeps the descriptor.
  init(
    _ file: Descriptor, _ fileSystem: any FileSystem, block: Int = 64 << 10, longest: Int = LogLine.longest
  ) throws(FileSystemError) {
    self.file = file
    self.fileSystem = fileSystem
    self.block = max(1, block)
    self.longest = longest
    start = try fileSystem.status(of: file).size
  }

  /// The line before the last returned one, without its newline; skips empty lines. Nil at the start of the file.
  mutating func next() throws(FileSystemError) -> Line? {
    while true {
      if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
        let line = Array(bytes[(newline + 1)...])
        bytes.removeSubrange(newline...)
        if let line = given(line) { return line }
      } else if start == 0 {
        let line = bytes
        bytes = []
        return given(line)
      } else {
        if bytes.count > longest {
          isPassing = true
          bytes = []
        }
        try readBlock()
      }
    }
  }

  private mutating func given(_ line: [UInt8]) -> Line? {
    if isPassing || line.count > longest {
      isPassing = false
      return .tooLong
    }
    return line.isEmpty ? nil : .whole(line)
  }

  /// Prepends the previous block to `bytes`.
  private mutating func readBlock() throws(FileSystemError) {
    let count = min(block, start)
    var before = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let (from, offset) = (filled, start - count + filled)
      var failure: FileSystemError?
      let read = before.withUnsafeMutableBytes { buffer in
        do throws(FileSystemError) {
          return try fileSystem.read(file, at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[from...]))
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      // The file was truncated meanwhile.
      if read == 0 { break }
      filled += read
    }
    start -= count
    bytes.insert(contentsOf: before[..<filled], at: 0)
  }
}
