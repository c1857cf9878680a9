import JSON

/// What a start needs of a manifest: a line near the beginning with checksums of its own, so that the list of all
/// segments, which grows with the years, can stay unread. Derived from the manifest whenever that is written.
struct ManifestStart: Sendable, Equatable {
  /// The checksum of the manifest's text before it, up to its name.
  private var beginning: UInt32 = 0
  /// The manifest's.
  private(set) var revision = 0
  private(set) var journal = 0
  /// The undated segment of each collection that has one, ascending.
  private(set) var undated: [SegmentEntry] = []
  /// The names of the collections with segments of months, ascending.
  private(set) var dated: [String] = []

  /// The number of bytes of a manifest that are read; it must be within them.
  static let room = 16 << 10

  init() {}

  /// - Parameter segments: Ascending.
  init(_ head: ManifestHead, _ segments: [SegmentEntry]) {
    (revision, journal) = (head.revision, head.journal)
    for entry in segments {
      if entry.key.month == .all {
        undated.append(entry)
      } else if dated.last != entry.key.folderName {
        dated.append(entry.key.folderName)
      }
    }
  }

  /// Reads it from the beginning of a manifest; nil when that is not exactly as this code writes it.
  init?(beginning text: [UInt8]) {
    let start = text.withUnsafeBytes { text -> ManifestStart? in
      guard var reader = try? DocumentReader(text), let head: ManifestHead = try? reader.readBeginning(),
        head.isReadable, let range = ManifestStart.range(in: text)
      else { return nil }
      let line = UnsafeRawBufferPointer(rebasing: text[range])
      let beginning = CRC32C.checksum(UnsafeRawBufferPointer(rebasing: text[..<range.lowerBound]))
      guard LineSuffix.isValid(line), let start = try? ManifestStart(reading: line), start.beginning == beginning else {
        return nil
      }
      return start
    }
    guard let start else { return nil }
    self = start
  }

  /// The object on the line that begins with its name.
  private static func range(in text: UnsafeRawBufferPointer) -> Range<Int>? {
    guard let base = text.baseAddress else { return nil }
    let name: StaticString = "\"start\":"
    var start = 0
    while true {
      let end = LineScan.newline(base, from: start, to: text.count)
      guard end < text.count else { return nil }
      if text.hasText(name, at: start) {
        let object = start + name.utf8CodeUnitCount
        // A comma follows.
        return object..<max(object, end - 1)
      }
      start = end + 1
    }
  }
}

extension ManifestStart: Document, DocumentValue {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.value("beginning", &beginning)
    try members.value("revision", &revision)
    try members.number("journal", &journal, in: 1...(.max))
    try members.list("undated", &undated, isLong: false, .required)
    try members.value("dated", &dated)
  }

  /// Skips it: a reader of the whole manifest has the segments themselves.
  static func read(from reader: inout JSONReader) throws(JSONError) -> ManifestStart {
    try reader.skipValue()
    return ManifestStart()
  }

  func write(to writer: inout JSONWriter) {
    var start = self
    start.beginning = CRC32C.checksum(writer.buffer)
    start.text().withUnsafeBytes { writer.append(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
  }
}
