import CivilTime
import Testing
import Values

@testable import FileStore

let january = CivilDay("2026-01-01") ?? CivilDay(daysSinceEpoch: 0)

func segmentKey(_ month: String = "2026-01", _ collection: CollectionName = meals) throws -> SegmentKey {
  let month = try #require(MonthKey(month))
  return try #require(SegmentKey(collection, month))
}

/// Record `number`; records are ordered by number.
func record(_ number: Int, day: CivilDay? = january, revision: Int? = nil, schema: Int = 1, _ body: String = "{}")
  -> Record
{
  let instant = Instant(milliseconds: 1_767_614_400_000 + Int64(number) * 1001)
  return Record(
    id: EntityID(high: 0xABCD_EF01_2345_6789, low: UInt64(number)), day: day, createdAt: instant,
    updatedAt: instant.advanced(by: 5), schema: schema, revision: revision ?? number + 10,
    body: RecordBody(Array(body.utf8)[...]))
}

/// A few records of January, with bodies that look like lines.
func someRecords(_ count: Int = 5, hasDay: Bool = true) -> [Record] {
  (0..<count).map { number in
    record(
      number, day: hasDay ? january.advanced(by: number / 2) : nil,
      #"{"name":"Brötchen","n":\#(number),"a":[1,{"crc":"00000000"}]}"#)
  }
}

/// The file of those records, and its manifest entry.
func segmentFile(_ records: [Record], _ month: String = "2026-01", generation: Int = 3) throws -> (
  bytes: [UInt8], entry: SegmentEntry
) {
  var writer = SegmentWriter(try segmentKey(month), generation: generation)
  for record in records { try writer.append(record) }
  return writer.finish()
}

/// A line with a matching checksum, from an object's text without its last brace.
func line(_ text: String) -> [UInt8] {
  let digits = String(CRC32C.checksum(Array(text.utf8)), radix: 16)
  let padding = String(repeating: "0", count: 8 - digits.count)
  return Array((text + ",\"crc\":\"" + padding + digits + "\"}\n").utf8)
}

extension Record {
  /// Everything in it, for comparing.
  var text: String {
    let day = self.day.map(\.description) ?? "-"
    return "\(id) \(day) \(createdAt) \(updatedAt) \(schema) \(revision) " + String(decoding: body.bytes, as: UTF8.self)
  }
}

extension Segment {
  /// Everything in its records.
  var texts: [String] { (0..<count).map { record(at: $0).text } }

  /// Records an issue unless all ways of reading its records agree, they are in order, and used and unused bytes
  /// together are the whole file.
  func checkInvariants(_ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
    var ids: [EntityID] = []
    forEachID { id, _ in ids.append(id) }
    var isGood = ids.count == count && Set(ids).count == count
    var used = [Int](repeating: 0, count: bytes.count + 1)
    func use(_ range: Range<Int>) { for index in range { used[index] += 1 } }
    func useLine(_ start: Int, _ end: Int) {
      use(start..<(end < bytes.count && bytes[end] == UInt8(ascii: "\n") ? end + 1 : end))
    }
    for index in 0..<count {
      let record = record(at: index)
      isGood =
        isGood && record.position == position(at: index) && record.id == ids[index] && record.id == id(at: index)
        && record.revision == revision(at: index) && (minRevision...maxRevision).contains(record.revision)
        && self.index(ofID: record.id) == index && lowerBound(of: record.position) == index
        && (index == 0 || position(at: index - 1) < record.position) && MonthKey(record.day) == key.month
      let raw = rawLine(at: index)
      useLine(raw.startIndex, raw.endIndex)
    }
    for damage in damage where damage.kind.isUnused { use(damage.range) }
    let isForeign = damage.contains { [.foreignFile, .newerFormat, .tooLong].contains($0.kind) }
    for edge in [headerStart, footerStart] where !isForeign {
      guard let edge else { continue }
      var end = edge + LineSuffix.length
      bytes.withUnsafeBytes { file in
        while !LineSuffix.isValid(UnsafeRawBufferPointer(rebasing: file[edge..<end])) { end += 1 }
      }
      useLine(edge, end)
    }
    isGood = isGood && used.dropLast().allSatisfy { $0 == 1 }
    if isIntact { isGood = isGood && !isLossPossible }
    #expect(isGood, comment, sourceLocation: sourceLocation)
  }
}
