import JSON

/// Frames messages into one buffer of bytes to be written.
package struct OutgoingFrames: ~Copyable {
  /// The framed bytes; messages are written straight into it between `begin` and `end`.
  package var writer: JSONWriter
  package let framing: Framing
  /// Large texts that are handed over, each with the place in the writer before which it stands, ascending.
  private var inserted: [(place: Int, text: [UInt8])] = []

  /// `Content-Length: ` and room for three digits, the usual number, then the end of the header block.
  private static let header: StaticString = "Content-Length: 000\r\n\r\n"
  private static let digitsAt = 16
  private static let usualDigits = 3

  package init(framing: Framing, capacity: Int = 4096) {
    self.framing = framing
    writer = JSONWriter(capacity: capacity)
  }

  /// Opens a frame and returns where it begins.
  package mutating func begin() -> Int {
    let start = writer.count
    if framing == .header { writer.append(OutgoingFrames.header) }
    return start
  }

  /// Closes the frame that began at `start`.
  package mutating func end(_ start: Int) {
    guard framing == .header else { return writer.append(UInt8(ascii: "\n")) }
    var length = writer.count - start - OutgoingFrames.header.utf8CodeUnitCount
    for (place, text) in inserted where place > start { length += text.count }
    var digits = 1
    var bound = 10
    while length >= bound, digits < 18 {
      digits += 1
      bound *= 10
    }
    let at = start + OutgoingFrames.digitsAt
    if digits != OutgoingFrames.usualDigits {
      writer.shift(at: at, by: digits - OutgoingFrames.usualDigits)
      for index in inserted.indices where inserted[index].place > start {
        inserted[index].place += digits - OutgoingFrames.usualDigits
      }
    }
    for index in (at..<at + digits).reversed() {
      writer.patch(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: length % 10), at: index)
      length /= 10
    }
  }

  /// Adds a text that is JSON already at a place in the frame that is open, behind all that was added so before.
  package mutating func insert(_ text: [UInt8], at place: Int) { inserted.append((place, text)) }

  /// Adds a text that is JSON already, or whole frames.
  package mutating func append(_ text: [UInt8]) {
    if text.count < OutgoingPieces.large {
      text.withUnsafeBytes { writer.append($0) }
    } else {
      insert(text, at: writer.count)
    }
  }

  package mutating func append(_ pieces: OutgoingPieces) {
    for piece in pieces.pieces { append(piece) }
  }

  /// Bytes written and handed over so far.
  package var count: Int { inserted.reduce(writer.count) { $0 + $1.text.count } }

  /// Whether there is nothing but what the writer has.
  package var isWritten: Bool { inserted.isEmpty }

  /// Takes out all frames.
  package mutating func take() -> OutgoingPieces { take(from: 0, inserts: 0) }

  /// Takes out the frames from the one on that begins at `start`. A text that was handed over at just that place is of a frame before
  /// it: a frame begins with what is written.
  package mutating func take(from start: Int) -> OutgoingPieces {
    take(from: start, inserts: inserted.firstIndex { $0.place > start } ?? inserted.count)
  }

  private mutating func take(from start: Int, inserts first: Int) -> OutgoingPieces {
    var pieces = OutgoingPieces()
    var at = start
    for (place, text) in inserted[first...] {
      pieces.append(Array(writer.buffer[at..<place]))
      pieces.append(text)
      at = place
    }
    pieces.append(Array(writer.buffer[at...]))
    inserted.removeSubrange(first...)
    writer.truncate(to: start)
    return pieces
  }

  /// A whole response with an error; the id is null when unknown.
  package mutating func fail(_ id: UnsafeRawBufferPointer?, _ error: RPCError) {
    let start = begin()
    OutgoingFrames.writeError(id, error, to: &writer)
    end(start)
  }

  /// The text of a response with an error.
  package static func writeError(_ id: UnsafeRawBufferPointer?, _ error: RPCError, to writer: inout JSONWriter) {
    beginResponse(id, to: &writer)
    writer.append(",\"error\":{\"code\":" as StaticString)
    writer.write(error.code)
    writer.append(",\"message\":" as StaticString)
    writer.write(error.message)
    if !error.data.isEmpty {
      writer.append(",\"data\":" as StaticString)
      error.data.withUnsafeBytes { writer.append($0) }
    }
    writer.append("}}" as StaticString)
  }

  /// The members that any response begins with; the caller goes on with a comma.
  package static func beginResponse(_ id: UnsafeRawBufferPointer?, to writer: inout JSONWriter) {
    writer.append("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    if let id { writer.append(id) } else { writer.writeNull() }
  }

  /// A whole notification.
  package mutating func notify(_ method: StaticString, _ params: some JSONEncodable) {
    notify(method) { params.encode(to: &$0.writer) }
  }

  /// The same with the text of the params.
  package mutating func notify(_ method: StaticString, text params: [UInt8]) {
    notify(method) { $0.append(params) }
  }

  private mutating func notify(_ method: StaticString, _ params: (inout OutgoingFrames) -> Void) {
    let start = begin()
    writer.append("{\"jsonrpc\":\"2.0\",\"method\":\"" as StaticString)
    writer.append(method)
    writer.append("\",\"params\":" as StaticString)
    params(&self)
    writer.append("}" as StaticString)
    end(start)
  }

  /// A whole request to the client.
  package mutating func request(_ id: Int, _ method: StaticString, _ params: some JSONEncodable) {
    let start = begin()
    writer.append("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    writer.write(id)
    writer.append(",\"method\":\"" as StaticString)
    writer.append(method)
    writer.append("\",\"params\":" as StaticString)
    params.encode(to: &writer)
    writer.append("}" as StaticString)
    end(start)
  }
}
