import JSON

/// Frames messages into one output buffer.
package struct OutgoingFrames: ~Copyable {
  /// The framed bytes; callers write messages into it between `begin` and `end`.
  package var writer: JSONWriter
  package let framing: Framing
  /// Large texts that are not copied, each with the writer offset before which it belongs, ascending.
  private var inserted: [(place: Int, text: [UInt8])] = []

  /// A header block with room for the usual three digits.
  private static let header: StaticString = "Content-Length: 000\r\n\r\n"
  private static let digitsAt = 16
  private static let usualDigits = 3

  package init(framing: Framing, capacity: Int = 4096) {
    self.framing = framing
    writer = JSONWriter(capacity: capacity)
  }

  /// Begins a frame and returns its offset.
  package mutating func begin() -> Int {
    let start = writer.count
    if framing == .header { writer.append(OutgoingFrames.header) }
    return start
  }

  /// Ends the frame that began at `start`.
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

  /// Inserts JSON text at an offset in the open frame, after all earlier insertions.
  package mutating func insert(_ text: [UInt8], at place: Int) { inserted.append((place, text)) }

  /// Appends JSON text or complete frames.
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

  /// The total length in bytes.
  package var count: Int { inserted.reduce(writer.count) { $0 + $1.text.count } }

  /// Whether all bytes are in the writer.
  package var isWritten: Bool { inserted.isEmpty }

  /// Removes and returns all frames.
  package mutating func take() -> OutgoingPieces { take(from: 0, inserts: 0) }

  /// Removes and returns the frames from the one that begins at `start`. A text inserted at exactly that offset belongs
  /// to an earlier frame, because a frame begins with written bytes.
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

  /// Appends an error response; the id is null when unknown.
  package mutating func fail(_ id: UnsafeRawBufferPointer?, _ error: RPCError) {
    let start = begin()
    OutgoingFrames.writeError(id, error, to: &writer)
    end(start)
  }

  /// Writes the text of an error response.
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

  /// Writes the members that every response begins with; the caller continues with a comma.
  package static func beginResponse(_ id: UnsafeRawBufferPointer?, to writer: inout JSONWriter) {
    writer.append("{\"jsonrpc\":\"2.0\",\"id\":" as StaticString)
    if let id { writer.append(id) } else { writer.writeNull() }
  }

  /// Appends a notification.
  package mutating func notify(_ method: StaticString, _ params: some JSONEncodable) {
    notify(method) { params.encode(to: &$0.writer) }
  }

  /// Appends a notification with the JSON text of its params.
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

  /// Appends a request to the client.
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
