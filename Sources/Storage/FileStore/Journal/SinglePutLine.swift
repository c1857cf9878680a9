import CivilTime
import JSON
import Values

extension JournalEntry {
  /// Bytes after the body: those that close the operation and the list, and the checksum.
  private static let suffix = 2 + LineSuffix.length

  /// Reads the most common kind of line, in this code's own layout: a transaction that puts one record where none was.
  /// Nil for any other line, which must then be parsed. The caller checks the checksum. As in a segment, everything
  /// between the body's name and the closing characters is taken as the body, without checking that it is JSON or how
  /// deep it nests.
  init?(singlePut line: UnsafeRawBufferPointer) {
    guard let base = line.baseAddress, line.count > JournalEntry.suffix,
      LineSuffix.checksum(line, at: line.count - LineSuffix.length) != nil
    else { return nil }
    var members = PlainReader(base: base, end: line.count - JournalEntry.suffix)
    guard members.skip("{\"seq\":"), let revision = members.number(), revision > 0, members.skip(",\"at\":\""),
      let at = members.instant(), members.skip("\",\"replica\":\""), let replica = members.id(),
      members.skip("\",\"tx\":\""), let id = members.id(), members.skip("\",\"by\":\""),
      let author = members.string(), members.skip(",\"why\":\""), let label = members.string(),
      members.skip(",\"do\":["), let operation = members.operation()
    else { return nil }
    self.revision = revision
    self.replica = replica
    transaction = Transaction(id: id, at: at, author: author, label: label, operations: [operation])
    before = []
  }
}

extension PlainReader {
  /// Reads the single operation, if it puts a record.
  fileprivate mutating func operation() -> Operation? {
    guard skip("{\"put\":\""), let name = text(), let collection = CollectionName(ofFolder: name),
      skip(",\"id\":\""), let id = id(), skip("\",")
    else { return nil }
    var day: CivilDay?
    if skip("\"day\":\"") {
      guard let stated = self.day(), skip("\",") else { return nil }
      day = stated
    }
    guard skip("\"schema\":"), let schema = number(), skip(",\"created\":\""), let created = instant(),
      skip("\",\"updated\":\""), let updated = instant(), skip("\",\"body\":"), let body = body()
    else { return nil }
    return .put(
      collection, id: id, day: day, schema: schema, createdAt: created, updatedAt: updated, body: body)
  }

  /// The object that ends where the line's closing characters begin.
  private func body() -> [UInt8]? {
    let text = UnsafeRawBufferPointer(start: base + at, count: end &- at)
    guard text.first == UInt8(ascii: "{"), text.last == UInt8(ascii: "}"), text.count > 1,
      base.load(fromByteOffset: end, as: UInt8.self) == UInt8(ascii: "}"),
      base.load(fromByteOffset: end &+ 1, as: UInt8.self) == UInt8(ascii: "]")
    else { return nil }
    // Another brace may start another operation; only parsing can tell.
    if LineScan.first(UInt8(ascii: "{"), base, from: at &+ 1, to: end) < end {
      var reader = JSONReader(text)
      guard let object = try? reader.objectRange(), object == 0..<text.count else { return nil }
    }
    return Array(text)
  }
}
