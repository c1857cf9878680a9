import JSON

/// Frames messages into one buffer of bytes to be written.
package struct OutgoingFrames: ~Copyable {
  /// The framed bytes; messages are written straight into it between `begin` and `end`.
  package var writer: JSONWriter
  package let framing: Framing

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
    var digits = 1
    var bound = 10
    while length >= bound, digits < 18 {
      digits += 1
      bound *= 10
    }
    let at = start + OutgoingFrames.digitsAt
    if digits != OutgoingFrames.usualDigits { writer.shift(at: at, by: digits - OutgoingFrames.usualDigits) }
    for index in (at..<at + digits).reversed() {
      writer.patch(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: length % 10), at: index)
      length /= 10
    }
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
    let start = begin()
    writer.append("{\"jsonrpc\":\"2.0\",\"method\":\"" as StaticString)
    writer.append(method)
    writer.append("\",\"params\":" as StaticString)
    params.encode(to: &writer)
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
