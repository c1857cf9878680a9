import CivilTime
import JSON
import Values

extension JournalEntry {
  /// Reads the most common kind of line, in this code's own layout: a transaction that puts one record where none was.
  /// Nil for any other line, which must then be parsed. The caller checks the checksum. As in a segment, everything
  /// between the body's name and the closing characters is taken as the body, without checking that it is JSON or how
  /// deep it nests.
  init?(singlePut line: UnsafeRawBufferPointer) {
    guard let base = line.baseAddress, line.count > SinglePutLine.suffix,
      LineSuffix.checksum(line, at: line.count - LineSuffix.length) != nil
    else { return nil }
    var members = SinglePutLine(base: base, end: line.count - SinglePutLine.suffix)
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

/// Reads a line member by member while each is the expected one.
private struct SinglePutLine {
  /// Bytes after the body: those that close the operation and the list, and the checksum.
  static let suffix = 2 + LineSuffix.length

  let base: UnsafeRawPointer
  /// The end of the body.
  let end: Int
  var at = 0
  /// The place of an instant read before, and its day.
  var known: (place: UnsafeRawPointer, day: Int64)?

  /// Skips a text if it comes next.
  @inline(__always) mutating func skip(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at &+ length <= end, StringScan.areSame(base + at, UnsafeRawPointer(text.utf8Start), length) else {
      return false
    }
    at &+= length
    return true
  }

  @inline(__always) mutating func number() -> Int? { RecordLayout.number(base, &at, end) }

  @inline(__always) mutating func id() -> EntityID? {
    guard at &+ 36 <= end, let id = FixedText.id(base + at) else { return nil }
    at &+= 36
    return id
  }

  @inline(__always) mutating func day() -> CivilDay? {
    guard at &+ 10 <= end, let day = FixedText.day(base + at) else { return nil }
    at &+= 10
    return day
  }

  /// The three instants of a line mostly share a day.
  @inline(__always) mutating func instant() -> Instant? {
    guard at &+ 24 <= end, let instant = FixedText.instant(base + at, besides: known?.place, known?.day ?? 0) else {
      return nil
    }
    if known == nil { known = (base + at, FixedText.day(of: instant)) }
    at &+= 24
    return instant
  }

  /// Reads an ASCII string without escapes, and its closing quotation mark.
  @inline(__always) mutating func string() -> String? {
    text().map { $0.isEmpty ? "" : String(decoding: $0, as: UTF8.self) }
  }

  @inline(__always) private mutating func text() -> UnsafeBufferPointer<UInt8>? {
    let start = at
    while at < end {
      let byte = base.load(fromByteOffset: at, as: UInt8.self)
      at &+= 1
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeRawBufferPointer(start: base + start, count: at &- start &- 1)
        return text.assumingMemoryBound(to: UInt8.self)
      }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
    }
    return nil
  }

  /// Reads the single operation, if it puts a record.
  mutating func operation() -> Operation? {
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
