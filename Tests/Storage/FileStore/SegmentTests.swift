import CivilTime
import Pacing
import Testing
import Values

@testable import FileStore

@Suite(.simulated)
struct SegmentTests {
  /// The documented segment; data written with it must open for ever.
  private let golden = [
    #"{"segment":1,"collection":"meals","month":"2026-01","generation":3,"count":2,"minRevision":10,"#,
    #""maxRevision":11,"crc":"def72256"}"#, "\n",
    #"{"id":"abcdef01-2345-6789-0000-000000000000","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","#,
    #""updated":"2026-01-05T12:00:00.005Z","revision":10,"schema":1,"body":{"name":"Brötchen"},"#,
    #""crc":"e2ba9c53"}"#, "\n",
    #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-31","created":"2026-01-05T12:00:01.001Z","#,
    #""updated":"2026-01-05T12:00:01.006Z","revision":11,"schema":2,"body":{},"crc":"1631dcda"}"#, "\n",
    #"{"end":1,"count":2,"bytes":529,"#,
    #""sha256":"deeb808a7a01b8d9e11b7a2a52d04eab2a8c79051b44e4c8917d86f3e5baf513","crc":"5e8d136d"}"#, "\n",
  ].joined()

  private let goldenRecords = [
    record(0, #"{"name":"Brötchen"}"#), record(1, day: january.advanced(by: 30), schema: 2, "{}"),
  ]

  @Test("The file has the documented form, and is read back")
  func goldenFile() throws {
    let (bytes, entry) = try segmentFile(goldenRecords)
    #expect(String(decoding: bytes, as: UTF8.self) == golden)
    #expect(entry.bytes == golden.utf8.count)
    #expect(entry.sha256.description == "5dc7bc6e9342ff5f337309afb161e9229839a2b7404d8025e2e61b33ff2e7909")
    let segment = Segment.load(Array(golden.utf8), entry: entry, checksHash: true)
    #expect(segment.isIntact, "\(segment.damage)")
    #expect(segment.texts == goldenRecords.map(\.text))
  }

  @Test("Records are read back, with and without days", arguments: [true, false], [0, 1, 2, 63, 64, 65, 400])
  func roundTrip(_ hasDay: Bool, _ count: Int) throws {
    let records = (0..<count).map { number in
      record(number, day: hasDay ? january.advanced(by: number / 20) : nil, revision: 1 + number * 7919 % 1000)
    }
    let (bytes, entry) = try segmentFile(records, hasDay ? "2026-01" : "all")
    let segment = Segment.load(bytes, entry: entry, checksHash: true)
    #expect(segment.isIntact, "\(segment.damage)")
    #expect(segment.texts == records.map(\.text))
    #expect(entry.count == count)
    #expect(entry.minRevision == records.map(\.revision).min() ?? 0)
    #expect(entry.maxRevision == records.map(\.revision).max() ?? 0)
    #expect(segment.index(ofID: id(77)) == nil)
    #expect(segment.memory >= bytes.count)
    #expect(!segment.isLossPossible)
    segment.checkInvariants("\(count) records")
    let found = Segment.load(bytes, key: entry.key, checksHash: true)
    #expect(found.entry == entry)
    #expect(found.isIntact)
  }

  @Test("Every position is found, whether a record has it or not")
  func lowerBound() throws {
    let records = someRecords(9)
    let (bytes, entry) = try segmentFile(records)
    let segment = Segment.load(bytes, entry: entry)
    func bound(_ day: CivilDay?, _ milliseconds: Int64, _ id: EntityID) -> Int {
      let position = Position(day: day, createdAt: Instant(milliseconds: milliseconds), id: id)
      let expected = records.count { $0.position < position }
      let found = segment.lowerBound(of: position)
      #expect(found == expected, "\(position)")
      return found
    }
    let (lowest, highest) = (EntityID(high: 0, low: 0), EntityID(high: .max, low: .max))
    #expect(bound(nil, .max, highest) == 0)
    #expect(bound(january, .min, lowest) == 0)
    #expect(bound(january, .max, highest) == 2)
    #expect(bound(CivilDay(daysSinceEpoch: .max), .max, highest) == 9)
    #expect(bound(CivilDay(daysSinceEpoch: .min), .min, lowest) == 0)
    for record in records {
      for change: Int64 in -1...1 {
        for id in [lowest, record.id, highest] {
          _ = bound(record.day, record.createdAt.milliseconds + change, id)
        }
      }
    }
  }

  @Test("Lines of newer versions, with unknown members, are read and copied unchanged")
  func newerLines() throws {
    let fixed = #"{"id":"abcdef01-2345-6789-0000-00000000000"#
    let middle = #"","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","#
    let lines = [
      fixed + "1" + middle + #""revision":10,"schema":1,"tags":["x",{"body":{}}],"body":{"a":1}"#,
      fixed + "2" + middle + #""revision":11,"schema":-1,"body":{"a":2}"#,
      fixed + "3" + middle + #""revision": 12, "schema" : 1 , "body" : {"a":3} "#,
      fixed + "4" + middle + #""revision":1000000000000000000,"schema":1,"body":{"a":4}"#,
      #"{"schema":1,"id":"ABCDEF01-2345-6789-0000-000000000005","revision":14,"body":{"a":5},"day":"2026-01-01","#
        + #""updated":"2026-01-05T13:00:00.005+01:00","created":"2026-01-05T12:00:00Z""#,
      fixed + "6" + middle + #""revision":15,"schema":1,"body":{"a":6}"#,
    ].map(line)
    var writer = SegmentWriter(try segmentKey(), generation: 1)
    for (index, line) in lines.enumerated() {
      let read = try line.dropLast().withUnsafeBytes { try RecordLine(reading: $0) }
      #expect(read.body.count == 7)
      try line.withUnsafeBytes {
        let text = index % 2 == 0 ? $0 : UnsafeRawBufferPointer(rebasing: $0.dropLast())
        try writer.append(rawLine: text, position: read.position, revision: read.revision)
      }
    }
    let (bytes, entry) = writer.finish()
    let segment = Segment.load(bytes, entry: entry, checksHash: true)
    #expect(segment.isIntact, "\(segment.damage)")
    segment.checkInvariants("newer lines")
    #expect(
      (0..<segment.count).map { String(decoding: segment.record(at: $0).body.bytes, as: UTF8.self) }
        == (1...6).map { "{\"a\":\($0)}" })
    #expect((0..<segment.count).allSatisfy { segment.record(at: $0).updatedAt.milliseconds == 1_767_614_400_005 })
    #expect((0..<segment.count).map { Array(segment.rawLine(at: $0)) + [0x0A] } == lines)
    var copy = SegmentWriter(try segmentKey(), generation: 1)
    try copy.append(0..<2, of: segment)
    try copy.append(2..<2, of: segment)
    try copy.append(2..<segment.count, of: segment)
    #expect(copy.finish().bytes == bytes)
  }

  @Test("A mixture of copied and new records gives the same file as new records only")
  func copying() throws {
    let records = someRecords(20)
    let (bytes, entry) = try segmentFile(records)
    let segment = Segment.load(bytes, entry: entry)
    var writer = SegmentWriter(entry.key, generation: 3)
    try writer.append(0..<7, of: segment)
    for index in 7..<9 { try writer.append(segment.record(at: index)) }
    for index in 9..<12 {
      try segment.rawLine(at: index).withUnsafeBytes {
        try writer.append(rawLine: $0, position: segment.position(at: index), revision: segment.revision(at: index))
      }
    }
    try writer.append(12..<20, of: segment)
    let (copy, copyEntry) = writer.finish()
    #expect(copy == bytes)
    #expect(copyEntry == entry)
  }

  @Test("A writer refuses what does not belong in its file, and continues without it")
  func refusals() throws {
    var writer = SegmentWriter(try segmentKey(), generation: 3)
    try writer.append(record(2))
    let outside = [
      (record(1), SegmentWriterError.outOfOrder), (record(2), .outOfOrder),
      (record(3, day: january.advanced(by: 31)), .outsideMonth),
      (record(3, day: january.advanced(by: -1)), .outsideMonth),
      (record(3, day: nil), .outsideMonth), (record(3, "{\n}"), .notFaithful), (record(3, revision: -1), .notFaithful),
      (record(3, ""), .notFaithful), (record(3, "[]"), .notFaithful),
      (
        Record(
          id: id(3), day: january.advanced(by: 1), createdAt: Instant(milliseconds: .max),
          updatedAt: Instant(milliseconds: 0), schema: 1, revision: 1, body: RecordBody(Array("{}".utf8)[...])),
        .notFaithful
      ),
    ]
    for (record, error) in outside {
      do throws(SegmentWriterError) {
        try writer.append(record)
        Issue.record("\(record.text) was taken")
      } catch { #expect(error == error) }
      do throws(SegmentWriterError) { try writer.append(record) } catch let thrown { #expect(thrown == error) }
    }
    try writer.append(record(4))
    let (bytes, entry) = writer.finish()
    let segment = Segment.load(bytes, entry: entry, checksHash: true)
    #expect(segment.isIntact)
    #expect(segment.texts == [record(2), record(4)].map(\.text))
    let (all, _) = try segmentFile([record(1, day: nil)], "all")
    #expect(throws: SegmentWriterError.outsideMonth) {
      var writer = SegmentWriter(try segmentKey("all"), generation: 1)
      try writer.append(0..<1, of: segment)
    }
    #expect(throws: SegmentWriterError.outsideMonth) {
      var writer = SegmentWriter(try segmentKey("all"), generation: 1)
      try writer.append(record(1))
    }
    #expect(!all.isEmpty)
  }

  @Test("Many threads may use one segment at once")
  func threads() async throws {
    let records = someRecords(200, hasDay: false)
    let (bytes, entry) = try segmentFile(records, "all")
    let segment = Segment.load(bytes, entry: entry)
    await withTaskGroup(of: Bool.self) { group in
      for start in 0..<8 {
        group.addTask {
          (0..<200).allSatisfy { step in
            let index = (start * 25 + step) % 200
            return segment.index(ofID: records[index].id) == index
          }
        }
      }
      for await isGood in group { #expect(isGood) }
    }
  }
}
