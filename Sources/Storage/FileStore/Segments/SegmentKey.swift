import JSON

extension CollectionName {
  /// Whether it can name a folder: 1…64 ASCII letters, digits and hyphens, beginning with a letter.
  package var isFileName: Bool {
    var name = rawValue
    return name.withUTF8 { CollectionName(ofFolder: $0) != nil }
  }

  /// The collection with that name; nil when it cannot name a folder.
  init?(ofFolder name: UnsafeBufferPointer<UInt8>) {
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
    guard (1...64).contains(name.count), isLetter(name[0]) else { return nil }
    for byte in name where !isLetter(byte) && byte &- UInt8(ascii: "0") >= 10 && byte != UInt8(ascii: "-") {
      return nil
    }
    self.init(String(decoding: name, as: UTF8.self))
  }
}

/// The scope of a segment: the records of one collection in one month, or its undated ones.
struct SegmentKey: Hashable, Sendable {
  private(set) var collection = CollectionName("")
  private(set) var month = MonthKey.all

  /// An empty key, to be filled by reading.
  init() {}

  /// Nil when the collection's name cannot be a segment folder's, or the month has no text.
  init?(_ collection: CollectionName, _ month: MonthKey) {
    guard collection.isFileName, !collection.isOfDigests, month.text != nil else { return nil }
    self.collection = collection
    self.month = month
  }

  /// Reads the rest of a key after the first quotation mark of its collection, which is mostly the one before.
  init?(plain text: inout PlainReader, after previous: SegmentKey?) {
    if let previous, text.skip(string: previous.collection.rawValue) {
      collection = previous.collection
    } else {
      guard let name = text.text(), let new = CollectionName(ofFolder: name) else { return nil }
      collection = new
    }
    guard text.skip(",\"month\":\""), let name = text.text(), let month = MonthKey(utf8: name) else { return nil }
    self.month = month
  }

  /// `yyyy-mm` or `all`.
  var monthText: String { month.text ?? "" }

  var folderName: String { collection.rawValue }

  /// The file's name within that folder, such as `2026-01.3.jsonl`.
  func fileName(generation: Int) -> String { "\(monthText).\(generation).jsonl" }
}

extension SegmentKey {
  /// Codes the key's members as part of a document.
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
  /// By the bytes of the collection's name, then by month; undated records come first.
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

/// The parts of a segment's file name.
struct SegmentFileName: Hashable, Sendable {
  let month: MonthKey
  /// 1 or more.
  let generation: Int

  /// Accepts exactly what `SegmentKey.fileName` makes; nil for anything else.
  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "jsonl", let month = MonthKey(parts[0]), let generation = Int(parts[1]),
      generation > 0, String(generation) == parts[1]
    else { return nil }
    self.month = month
    self.generation = generation
  }
}
