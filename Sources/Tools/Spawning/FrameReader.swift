#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How messages are told apart on the wire.
package enum WireFraming: String, Sendable, CaseIterable {
  /// A `Content-Length` header block and a body.
  case header
  /// A message a line.
  case newline
}

/// Cuts what a service writes into messages. Written apart from the service's own reader, and strict: it takes the canonical
/// forms only, `Content-Length: N` or a line.
package struct FrameReader: ~Copyable {
  package let framing: WireFraming
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  /// The bytes that are in no message given out.
  private var range = 0..<0
  /// The offset up to which no newline was found.
  private var searched = 0

  /// Bytes that begin no message.
  package struct Stray: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ framing: WireFraming) { self.framing = framing }

  deinit { memory.deallocate() }

  /// Lets `body` put bytes behind those that are there and say how many; returns what it says.
  package mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int?) -> Int? {
    if range.isEmpty { move(to: memory) }
    if memory.count - range.upperBound < 1 << 18 { move(to: memory) }
    if memory.count - range.upperBound < 1 << 18 {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: memory.count * 2, alignment: 16)
      let smaller = memory
      move(to: larger)
      memory = larger
      smaller.deallocate()
    }
    let count = body(UnsafeMutableRawBufferPointer(rebasing: memory[range.upperBound...]))
    if let count { range = range.lowerBound..<range.upperBound + count }
    return count
  }

  /// Moves the bytes to the beginning of some memory.
  private mutating func move(to target: UnsafeMutableRawBufferPointer) {
    if !range.isEmpty { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[range])) }
    searched = max(0, searched - range.lowerBound)
    range = 0..<range.count
  }

  /// The bytes that are no complete message yet.
  package var rest: [UInt8] { Array(memory[range]) }

  /// Whether a complete message is there.
  package var hasNext: Bool { mutating get { (try? find()) != nil } }

  /// The next message's bytes, valid until `fill`; nil until it is complete.
  package mutating func next() throws(Stray) -> UnsafeRawBufferPointer? {
    guard let (body, end) = try find() else { return nil }
    range = end..<range.upperBound
    return UnsafeRawBufferPointer(rebasing: memory[body])
  }

  /// Where the next message stands, and where it ends.
  private mutating func find() throws(Stray) -> (body: Range<Int>, end: Int)? {
    switch framing {
    case .header: try block()
    case .newline: try line()
    }
  }

  /// Whether the bytes at an offset are a text, or its beginning when no more are there.
  private func stands(_ text: StaticString, at offset: Int) -> Bool {
    let count = min(text.utf8CodeUnitCount, range.upperBound - offset)
    guard count > 0, let base = memory.baseAddress else { return true }
    return memcmp(base + offset, text.utf8Start, count) == 0
  }

  /// A header block and its body.
  private func block() throws(Stray) -> (body: Range<Int>, end: Int)? {
    guard stands("Content-Length: ", at: range.lowerBound) else { throw stray("expected “Content-Length: N”") }
    let digits = range.lowerBound + 16
    var (at, length) = (digits, 0)
    while at < range.upperBound, memory[at] &- UInt8(ascii: "0") < 10, at - digits < 12 {
      length = length * 10 + Int(memory[at] &- UInt8(ascii: "0"))
      at += 1
    }
    if at >= range.upperBound, at - digits < 12 { return nil }
    let hasZero = at - digits > 1 && memory[digits] == UInt8(ascii: "0")
    guard at > digits, !hasZero else { throw stray("expected a length") }
    guard stands("\r\n\r\n", at: at) else { throw stray("expected CR LF CR LF after the length") }
    let body = at + 4
    return range.upperBound - body >= length ? (body..<body + length, body + length) : nil
  }

  /// A line.
  private mutating func line() throws(Stray) -> (body: Range<Int>, end: Int)? {
    let from = max(range.lowerBound, searched)
    guard from < range.upperBound, let base = memory.baseAddress,
      let found = memchr(base + from, 0x0A, range.upperBound - from)
    else {
      searched = range.upperBound
      return nil
    }
    let end = UnsafeRawPointer(found) - UnsafeRawPointer(base)
    searched = end
    guard end > range.lowerBound else { throw stray("an empty line") }
    guard memory[end - 1] != UInt8(ascii: "\r") else { throw stray("a carriage return before the newline") }
    return (range.lowerBound..<end, end + 1)
  }

  /// The error for bytes that begin no message.
  private func stray(_ reason: String) -> Stray {
    Stray(description: "\(reason), found “\(String(decoding: memory[range].prefix(80), as: UTF8.self))”")
  }
}

extension WireFraming {
  /// A message as it is put on the wire.
  package func framed(_ text: String) -> [UInt8] {
    switch self {
    case .header: Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    case .newline: Array("\(text)\n".utf8)
    }
  }
}
