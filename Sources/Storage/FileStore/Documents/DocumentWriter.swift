import JSON
import Platform

struct DocumentWriter: MemberCoder, ~Copyable {
  var writer: JSONWriter
  private var breaksLine = false
  /// The text moved out of the writer so far: long texts are copied once, and the writer stays small.
  private var taken: [UInt8] = []
  /// The number of bytes above which the writer is emptied.
  private static let piece = 1 << 16
  /// The maximum capacity reserved ahead; a line is hardly longer.
  private static let maximumRoom = 64 << 20

  init(capacity: Int) { writer = JSONWriter(capacity: capacity) }

  /// Writes a document without its closing brace.
  mutating func write(_ document: some Document) {
    var document = document
    writer.beginObject()
    // Only reading throws.
    try? document.code(&self)
  }

  private mutating func name(_ name: StaticString) {
    guard breaksLine else { return writer.name(name) }
    breaksLine = false
    writer.append(",\n\"")
    writer.append(name)
    writer.append("\":")
  }

  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value, _ presence: MemberPresence) {
    guard presence.isWritten else { return }
    self.name(name)
    value.write(to: &writer)
  }

  mutating func value<Value: DocumentValue>(_ name: StaticString, _ value: inout Value?) {
    guard let value else { return }
    self.name(name)
    value.write(to: &writer)
  }

  mutating func number(_ name: StaticString, _ value: inout Int, in range: ClosedRange<Int>, _ presence: MemberPresence)
  {
    guard presence.isWritten else { return }
    self.name(name)
    writer.write(value)
  }

  mutating func object(_ name: StaticString, _ value: inout some Document, _ presence: MemberPresence) {
    guard presence.isWritten else { return }
    self.name(name)
    write(value)
    writer.endObject()
  }

  mutating func list(
    _ name: StaticString, _ values: inout some DocumentList, isLong: Bool, _ presence: MemberPresence
  ) {
    guard presence.isWritten else { return }
    self.name(name)
    writer.beginArray()
    for index in 0..<values.count {
      if isLong { writer.append(index == 0 ? "\n" : ",\n") } else { writer.element() }
      write(values[index])
      writer.endObject()
      if writer.count > DocumentWriter.piece {
        // Reserves room for all, estimated from the first elements, instead of copying as it grows.
        if taken.isEmpty {
          taken.reserveCapacity(min(writer.count / (index + 1) * values.count / 8 * 9, DocumentWriter.maximumRoom))
        }
        drain()
      }
      Threads.yieldIfDue()
    }
    writer.endArray()
  }

  mutating func breakLine() { breaksLine = true }

  /// Moves all but the last byte out of the writer, which needs that one to decide about a comma.
  private mutating func drain() {
    taken += writer.buffer.dropLast()
    writer.shift(at: 0, by: 1 - writer.count)
  }

  /// The text, with its checksum and a newline.
  mutating func closed() -> [UInt8] {
    LineSuffix.close(&writer, after: taken)
    if taken.isEmpty { return writer.bytes }
    taken += writer.buffer
    return taken
  }
}
