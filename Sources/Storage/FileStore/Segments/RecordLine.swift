import CivilTime
import JSON
import Values

/// The metadata in a record's line, and the range of the body in the line.
struct RecordLine: Equatable, Sendable {
  var id = EntityID.zero
  var day: CivilDay?
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var revision = 0
  var schema = 0
  /// A range of offsets from the line's start.
  var body = 0..<0

  var position: Position { Position(day: day, createdAt: createdAt, id: id) }

  /// The record of the line that begins at `start` in `bytes`.
  func record(in bytes: [UInt8], at start: Int) -> Record {
    Record(
      id: id, day: day, createdAt: createdAt, updatedAt: updatedAt, schema: schema, revision: revision,
      body: RecordBody(bytes[(start &+ body.lowerBound)..<(start &+ body.upperBound)]))
  }
}

/// The offsets in lines written by this code: every part up to the revision has a fixed width, so it is found without
/// parsing. Lines of undated segments lack the member `day`.
struct RecordLayout: Sendable {
  static let id = 7
  static let day = 52
  let created: Int
  let updated: Int
  let revision: Int
  let hasDay: Bool

  init(hasDay: Bool) {
    self.hasDay = hasDay
    created = hasDay ? 75 : 56
    updated = created + 37
    revision = created + 74
  }

  /// The length of the shortest line without its newline: one digit each for revision and schema, and an empty body.
  var shortest: Int { revision + 40 }

  /// The record of a line of `count` bytes without its newline; nil unless the line is exactly as this code writes it.
  /// The caller checks the checksum. Everything between the body's name and the checksum is taken as the body.
  ///
  /// - Parameter isKnown: Whether the line was read before and so is known to have this form.
  @inline(__always) func read(_ line: UnsafeRawPointer, count: Int, isKnown: Bool = false) -> RecordLine? {
    guard isKnown || count >= shortest && isFramed(line), let position = position(line, isKnown: isKnown) else {
      return nil
    }
    let madeOn = FixedText.day(of: position.createdAt)
    guard let updatedAt = FixedText.instant(line + updated, besides: line + created, madeOn, isKnown: isKnown) else {
      return nil
    }
    guard let rest = rest(line, count: count, isKnown: isKnown) else { return nil }
    return RecordLine(
      id: position.id, day: position.day, createdAt: position.createdAt, updatedAt: updatedAt, revision: rest.revision,
      schema: rest.schema, body: rest.body)
  }

  /// The parts after the fixed part of such a line.
  @inline(__always) func rest(_ line: UnsafeRawPointer, count: Int, isKnown: Bool = false)
    -> (revision: Int, schema: Int, body: Range<Int>)?
  {
    var at = revision
    guard let number = RecordLayout.number(line, &at, count), isKnown || matches(line, at, ",\"schema\":", count) else {
      return nil
    }
    at &+= 10
    guard let schema = RecordLayout.number(line, &at, count), isKnown || matches(line, at, ",\"body\":", count) else {
      return nil
    }
    at &+= 8
    let end = count &- LineSuffix.length
    guard at &+ 2 <= end, byte(line, at) == UInt8(ascii: "{"), byte(line, end &- 1) == UInt8(ascii: "}") else {
      return nil
    }
    return (number, schema, at..<end)
  }

  /// The position in a line whose frame was checked.
  @inline(__always) func position(_ line: UnsafeRawPointer, isKnown: Bool = false) -> Position? {
    guard let id = FixedText.id(line + RecordLayout.id, isKnown: isKnown) else { return nil }
    guard hasDay else {
      return FixedText.instant(line + created, isKnown: isKnown).map { Position(day: nil, createdAt: $0, id: id) }
    }
    let dayText = line + RecordLayout.day
    guard let day = FixedText.day(dayText, isKnown: isKnown),
      let createdAt = FixedText.instant(
        line + created, besides: dayText, Int64(day.daysSinceEpoch), isKnown: isKnown)
    else { return nil }
    return Position(day: day, createdAt: createdAt, id: id)
  }

  /// The revision of such a line.
  @inline(__always) func revision(_ line: UnsafeRawPointer, count: Int) -> Int? {
    var at = revision
    return RecordLayout.number(line, &at, count)
  }

  /// Whether the names of the leading members are in their places.
  @inline(__always) private func isFramed(_ line: UnsafeRawPointer) -> Bool {
    // Longer names are compared by two overlapping words; the first word has the seven bytes before the id.
    let first = UInt64(littleEndian: word(line, 0)) &<< 8 == UInt64(littleEndian: FixedText.word("{\"id\":\"0")) &<< 8
    let isDayFramed = !hasDay || word(line, 43) == FixedText.word("\",\"day\":") && byte(line, 51) == UInt8(ascii: "\"")
    return first && isDayFramed && word(line, created &- 13) == FixedText.word("\",\"creat")
      && word(line, created &- 8) == FixedText.word("eated\":\"")
      && word(line, updated &- 13) == FixedText.word("\",\"updat")
      && word(line, updated &- 8) == FixedText.word("dated\":\"")
      && word(line, revision &- 13) == FixedText.word("\",\"revis")
      && word(line, revision &- 8) == FixedText.word("vision\":")
  }

  /// Whether the eight or ten bytes at an offset are those of `text`.
  @inline(__always) private func matches(_ line: UnsafeRawPointer, _ offset: Int, _ text: StaticString, _ count: Int)
    -> Bool
  {
    let length = text.utf8CodeUnitCount
    guard offset &+ length <= count else { return false }
    let expected = UnsafeRawPointer(text.utf8Start)
    return word(line, offset) == expected.loadUnaligned(as: UInt64.self)
      && word(line, offset &+ length &- 8) == (expected + length - 8).loadUnaligned(as: UInt64.self)
  }

  /// The number whose 1…18 digits begin at `at`, which is moved past them; the line has `count` bytes.
  @inline(__always) static func number(_ line: UnsafeRawPointer, _ at: inout Int, _ count: Int) -> Int? {
    let start = at
    var value = 0
    while at < count {
      let digit = line.load(fromByteOffset: at, as: UInt8.self) &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      at &+= 1
    }
    let length = at &- start
    guard length > 0, length <= 18 else { return nil }
    return length > 1 && line.load(fromByteOffset: start, as: UInt8.self) == UInt8(ascii: "0") ? nil : value
  }

  @inline(__always) private func word(_ line: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    (line + offset).loadUnaligned(as: UInt64.self)
  }

  @inline(__always) private func byte(_ line: UnsafeRawPointer, _ offset: Int) -> UInt8 {
    line.load(fromByteOffset: offset, as: UInt8.self)
  }
}

/// Parses a line with members in any order, for lines not exactly as this code writes them.
extension RecordLine: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("id", &id)
    try members.value("day", &day)
    try members.value("created", &createdAt)
    try members.value("updated", &updatedAt)
    try members.value("revision", &revision)
    try members.number("schema", &schema, in: .min...(.max))
    try members.value("body", &body)
  }
}

extension Record {
  /// Writes its line, newline included, to an empty writer.
  func encodeLine(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("day", day)
    writer.member("created", createdAt)
    writer.member("updated", updatedAt)
    writer.member("revision", revision)
    writer.member("schema", schema)
    body.withUnsafeBytes { writer.member("body", json: $0) }
    LineSuffix.close(&writer)
  }
}
