#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How messages are delimited on the wire.
package enum WireFraming: String, Sendable, CaseIterable {
  /// A `Content-Length` header block and a body.
  case header
  /// A message a line.
  case newline
}

/// Splits a service's output into messages. Independent of the service's own decoder, and strict: accepts only the
/// canonical forms, `Content-Length: N` or a line.
package struct FrameReader: ~Copyable {
  package let framing: WireFraming
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
  /// The unread bytes.
  private var range = 0..<0
  /// The offset up to which there is no newline.
  private var searched = 0

  /// The error for bytes that do not begin a message.
  package struct Stray: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  package init(_ framing: WireFraming) { self.framing = framing }

  deinit { memory.deallocate() }

  /// Lets `body` append bytes and return their count; returns what it returns.
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

  /// Moves the unread bytes to the start of `target`.
  private mutating func move(to target: UnsafeMutableRawBufferPointer) {
    if !range.isEmpty { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[range])) }
    searched = max(0, searched - range.lowerBound)
    range = 0..<range.count
  }

  /// The unread bytes.
  package var rest: [UInt8] { Array(memory[range]) }

  /// Whether a complete message is buffered.
  package var hasNext: Bool { mutating get { (try? find()) != nil } }

  /// The next message, valid until `fill`; nil until it is complete.
  package mutating func next() throws(Stray) -> UnsafeRawBufferPointer? {
    guard let (body, end) = try find() else { return nil }
    range = end..<range.upperBound
    return UnsafeRawBufferPointer(rebasing: memory[body])
  }

  /// The range of the next message, and the offset after it.
  private mutating func find() throws(Stray) -> (body: Range<Int>, end: Int)? {
    switch framing {
    case .header: try block()
    case .newline: try line()
    }
  }

  /// Whether the bytes at an offset are `text`, or the beginning of it at the end of the buffer.
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

  /// The error for the unread bytes.
  private func stray(_ reason: String) -> Stray {
    Stray(description: "\(reason), found “\(String(decoding: memory[range].prefix(80), as: UTF8.self))”")
  }
}

extension WireFraming {
  /// The framed message.
  package func framed(_ text: String) -> [UInt8] {
    switch self {
    case .header: Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
    case .newline: Array("\(text)\n".utf8)
    }
  }
}
