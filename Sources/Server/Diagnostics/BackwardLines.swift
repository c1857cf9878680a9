import DaybookProtocol
import FileStore

/// The lines of a file from the last one on, read in blocks from its end. Holds a block and a line at most.
struct BackwardLines: ~Copyable {
  /// What there is instead of a line.
  enum Line: Sendable, Equatable {
    case whole([UInt8])
    /// It is longer than any that is written; skipped.
    case tooLong
  }

  private let fileSystem: any FileSystem
  private let file: Descriptor
  private let block: Int
  private let longest: Int
  /// Where what is in `bytes` begins in the file.
  private var start: Int
  /// What was read and not given out, up to the end of a line.
  private var bytes: [UInt8] = []
  /// Whether the line that `bytes` ends with was too long already, and is being passed over.
  private var isPassing = false

  /// From the end that the file has now. The descriptor stays the caller's.
  init(
    _ file: Descriptor, _ fileSystem: any FileSystem, block: Int = 64 << 10, longest: Int = LogLine.longest
  ) throws(FileSystemError) {
    self.file = file
    self.fileSystem = fileSystem
    self.block = max(1, block)
    self.longest = longest
    start = try fileSystem.status(of: file).size
  }

  /// The line before the one given last, without its newline; empty ones are skipped; nil when there is none.
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

  /// Puts the block before what is held in front of it.
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
      // Somebody has cut the file off meanwhile: what is gone is no line.
      if read == 0 { break }
      filled += read
    }
    start -= count
    bytes.insert(contentsOf: before[..<filled], at: 0)
  }
}
