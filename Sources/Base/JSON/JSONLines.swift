/// The elements of a JSON array as text, each on a line of its own and without white space between its tokens. However
/// many elements there are, they take no memory beyond their text.
package struct JSONLines: Sendable, Equatable {
  /// Whole lines, in pieces.
  package private(set) var pieces: [[UInt8]] = []

  package init() {}

  /// Adds whole lines, each of which is known to be one JSON value without a line break.
  package mutating func append(unchecked lines: [UInt8]) { if !lines.isEmpty { pieces.append(lines) } }
}

extension JSONLines: JSONDecodable {
  package init(from reader: inout JSONReader) throws(JSONError) {
    var (lines, isFirst) = ([UInt8](), true)
    try reader.beginArray()
    while try reader.nextElement(isFirst: isFirst) {
      // What follows is an upper bound.
      if isFirst { lines.reserveCapacity(reader.text.count - reader.position) }
      isFirst = false
      _ = reader.peek()
      let start = reader.position
      try reader.skipValue()
      JSONLines.append(UnsafeRawBufferPointer(rebasing: reader.text[start..<reader.position]), to: &lines)
    }
    append(unchecked: lines)
  }

  /// Appends the text of a value without white space between its tokens, and a line break.
  private static func append(_ text: UnsafeRawBufferPointer, to lines: inout [UInt8]) {
    defer { lines.append(UInt8(ascii: "\n")) }
    guard text.contains(where: { $0 <= 0x20 }) else { return lines.append(contentsOf: text) }
    var (isInString, isEscaped) = (false, false)
    for byte in text {
      if !isInString, byte <= 0x20 { continue }
      lines.append(byte)
      if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    }
  }
}

extension JSONLines: JSONEncodable {
  package func encode(to writer: inout JSONWriter) {
    writer.beginArray()
    let start = writer.count
    for piece in pieces {
      piece.withUnsafeBytes { text in
        guard let base = text.baseAddress else { return }
        let offset = writer.count
        writer.append(text)
        var at = LineScan.newline(base, from: 0, to: text.count)
        while at < text.count {
          writer.patch(UInt8(ascii: ","), at: offset + at)
          at = LineScan.newline(base, from: at + 1, to: text.count)
        }
      }
    }
    // The last line's comma.
    if writer.count > start { writer.truncate(to: writer.count - 1) }
    writer.endArray()
  }
}
