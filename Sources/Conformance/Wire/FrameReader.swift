#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Cuts what the service writes into messages. Takes the canonical forms only: `Content-Length: N`, or a line.
package struct FrameReader {
  /// How messages are told apart.
  let framing: WireFraming
  /// Bytes that came in.
  private var buffer: [UInt8] = []
  /// Offset of the first byte not given out.
  private var start = 0
  /// Offset up to which no newline was found.
  private var searched = 0

  /// A reader that has read nothing.
  package init(framing: WireFraming) {
    self.framing = framing
  }

  /// Takes further bytes.
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 1 << 16, start > buffer.count / 2 {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Bytes that are no complete message yet.
  package var rest: ArraySlice<UInt8> { buffer[start...] }

  /// The next message's bytes; nil until it is complete.
  package mutating func next() throws(WireError) -> [UInt8]? {
    switch framing {
    case .header: try block()
    case .newline: try line()
    }
  }

  /// The beginning of every header block.
  private static let name = Array("Content-Length: ".utf8)

  /// A header block and its body.
  private mutating func block() throws(WireError) -> [UInt8]? {
    let rest = buffer[start...]
    guard rest.starts(with: FrameReader.name) else {
      if FrameReader.name.starts(with: rest) { return nil }
      throw unusable("expected “Content-Length: N”")
    }
    var at = start + FrameReader.name.count
    var length = 0
    let digits = at
    while at < buffer.count, TextForm.isDigit(buffer[at]), at - digits < 12 {
      length = length * 10 + Int(buffer[at] - UInt8(ascii: "0"))
      at += 1
    }
    if at == buffer.count, at - digits < 12 { return nil }
    let hasZero = buffer[digits] == UInt8(ascii: "0") && at - digits > 1
    guard at > digits, !hasZero else { throw unusable("expected a length") }
    let ending = Array("\r\n\r\n".utf8)
    let end = at + ending.count
    guard buffer.count >= end else {
      if ending.starts(with: buffer[at...]) { return nil }
      throw unusable("expected CR LF CR LF after the length")
    }
    guard buffer[at..<end].elementsEqual(ending) else { throw unusable("expected CR LF CR LF after the length") }
    guard buffer.count - end >= length else { return nil }
    start = end + length
    return Array(buffer[end..<start])
  }

  /// A line.
  private mutating func line() throws(WireError) -> [UInt8]? {
    let from = max(start, searched)
    guard let end = newline(from: from) else {
      searched = buffer.count
      return nil
    }
    let line = buffer[start..<end]
    guard !line.isEmpty else { throw unusable("an empty line") }
    guard line.last != UInt8(ascii: "\r") else { throw unusable("a carriage return before the newline") }
    start = end + 1
    searched = start
    return Array(line)
  }

  /// Where the next newline stands.
  private func newline(from offset: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard offset < bytes.count, let base = bytes.baseAddress,
        let found = memchr(base + offset, 0x0A, bytes.count - offset)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// The error for bytes that begin no message.
  private func unusable(_ reason: String) -> WireError {
    let shown = String(decoding: buffer[start...].prefix(80), as: UTF8.self)
    return .noMessage("\(reason), found “\(shown)”")
  }
}
