import JSON
import Values

extension CollectionName {
  /// Whether it may be the name of a folder: 1…64 letters, digits and hyphens of ASCII, the first one a letter.
  package var isFileName: Bool {
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    let name = rawValue.utf8
    guard (1...64).contains(name.count), let first = name.first, isLetter(first) else { return false }
    return name.allSatisfy { isLetter($0) || $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: "-") }
  }
}

/// What a segment holds: the records of one collection in one month, or those that have no day.
struct SegmentKey: Hashable, Sendable {
  private(set) var collection = CollectionName("")
  private(set) var month = MonthKey.all { didSet { monthText = month.text ?? "" } }
  /// `yyyy-mm` or `all`.
  private(set) var monthText = MonthKey.allText

  /// One to be filled by reading.
  init() {}

  /// Nil when the collection's name may not be that of a folder of segments, or the month has no text.
  init?(_ collection: CollectionName, _ month: MonthKey) {
    guard collection.isFileName, !collection.isOfDigests, let text = month.text else { return nil }
    self.collection = collection
    self.month = month
    monthText = text
  }

  var folderName: String { collection.rawValue }

  /// Its file's name within that, such as `2026-01.3.jsonl`.
  func fileName(generation: Int) -> String { "\(monthText).\(generation).jsonl" }

  static func == (left: SegmentKey, right: SegmentKey) -> Bool {
    left.month == right.month && left.collection == right.collection
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(collection)
    hasher.combine(month)
  }
}

extension SegmentKey {
  /// The members that it is among those of a document.
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("collection", &collection)
    try members.value("month", &month)
  }
}

extension MonthKey: DocumentValue {
  static func read(from reader: inout JSONReader) throws(JSONError) -> MonthKey {
    try reader.string(as: "a month or “all”") { MonthKey(utf8: $0) }
  }
  func write(to writer: inout JSONWriter) { writer.write(text ?? "") }
}

extension SegmentKey: Comparable {
  /// By the bytes of the collection's name, then by month; what has no day comes first.
  static func < (left: SegmentKey, right: SegmentKey) -> Bool {
    if left.collection != right.collection {
      return left.collection.rawValue.utf8.lexicographicallyPrecedes(right.collection.rawValue.utf8)
    }
    return left.month < right.month
  }
}

extension SegmentKey: CustomStringConvertible {
  /// `meals/2026-01`.
  var description: String { "\(collection)/\(monthText)" }
}

/// What a segment's file name says.
struct SegmentFileName: Hashable, Sendable {
  let month: MonthKey
  /// 1 or more.
  let generation: Int

  /// Takes exactly what `SegmentKey.fileName` makes; nil for anything else.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "jsonl", let month = MonthKey(parts[0]), let generation = Int(parts[1]),
      generation > 0, String(generation) == parts[1]
    else { return nil }
    self.month = month
    self.generation = generation
  }
}
