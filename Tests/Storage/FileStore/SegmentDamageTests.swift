import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite(.simulated)
struct SegmentDamageTests {
  /// The lines of a file, each with its newline.
  func lines(_ bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { Array($0) + [0x0A] }
  }

  /// The segment of damaged bytes: a part of the records, and the invariants hold.
  private func salvage(_ bytes: [UInt8], _ entry: SegmentEntry, _ records: [Record], _ comment: Comment) -> Segment {
    let segment = Segment.load(bytes, entry: entry, checksHash: true)
    segment.checkInvariants(comment)
    let texts = Set(records.map(\.text))
    let isGood =
      !segment.isIntact && segment.texts.allSatisfy { texts.contains($0) }
      && segment.isLossPossible == (segment.count < records.count)
    #expect(isGood, comment)
    // Damage is found without the hash: the lines' own checksums and the counts are enough.
    #expect(!Segment.load(bytes, entry: entry).isIntact, comment)
    return segment
  }

  func kinds(_ segment: Segment) -> [SegmentDamage.Kind] { segment.damage.map(\.kind) }

  @Test("A flip of any bits of any byte is found, and costs one record at most")
  func flips() throws {
    let records = someRecords(3)
    let (bytes, entry) = try segmentFile(records)
    let recordLines = lines(bytes)
    let firstRecord = recordLines[0].count
    let footer = bytes.count - (recordLines.last?.count ?? 0)
    for index in bytes.indices {
      for flip: UInt8 in [1, 4, 32, 128, 0xFF, bytes[index] ^ 0x0A, bytes[index]] where flip != 0 {
        var damaged = bytes
        damaged[index] ^= flip
        let segment = salvage(damaged, entry, records, "byte \(index) with bits \(flip)")
        let isInRecord = index >= firstRecord && index < footer
        let isNewline = bytes[index] == 0x0A
        let expected = isInRecord && !isNewline ? 2 : 3
        if segment.count != expected { Issue.record("byte \(index), bits \(flip): \(segment.count) records are left") }
      }
    }
  }

  @Test("Of a file that was cut off, every complete record is read")
  func truncations() throws {
    let records = someRecords(3)
    let (bytes, entry) = try segmentFile(records)
    let ends = lines(bytes).reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    for length in bytes.indices {
      let segment = salvage(Array(bytes[..<length]), entry, records, "\(length) bytes")
      let complete = (1...3).count { ends[$0 + 1] - 1 <= length }
      if segment.count != complete { Issue.record("\(segment.count) records in \(length) bytes") }
      #expect(segment.isFinished == (length == bytes.count - 1))
    }
  }

  @Test("Zeros at the end are a torn end")
  func zeros() throws {
    let records = someRecords(3)
    let (bytes, entry) = try segmentFile(records)
    for length in bytes.indices {
      let padded = Array(bytes[..<length]) + [UInt8](repeating: 0, count: bytes.count - length)
      let segment = salvage(padded, entry, records, "zeros from \(length)")
      #expect(kinds(segment).contains(.tornEnd) || length == bytes.count - 1)
    }
  }

  @Test("An extra or missing byte, anywhere, costs one record at most")
  func insertionsAndDeletions() throws {
    let records = someRecords(3)
    let (bytes, entry) = try segmentFile(records)
    for index in bytes.indices {
      var shorter = bytes
      shorter.remove(at: index)
      let segment = salvage(shorter, entry, records, "without byte \(index)")
      #expect(segment.count >= 2)
      #expect(bytes[index] != 0x0A || segment.count == 3)
      for byte: UInt8 in [0x0A, 0x00, UInt8(ascii: "{"), UInt8(ascii: "x")] {
        var longer = bytes
        longer.insert(byte, at: index)
        #expect(salvage(longer, entry, records, "byte \(byte) before \(index)").count >= 2)
      }
    }
  }

  @Test("Swapped lines are sorted, repeated ones dropped, and missing ones noticed")
  func wholeLines() throws {
    let records = someRecords(4)
    let (bytes, entry) = try segmentFile(records)
    let original = lines(bytes)
    for first in original.indices {
      for second in original.indices where second != first {
        var swapped = original
        swapped.swapAt(first, second)
        let segment = salvage(swapped.flatMap { $0 }, entry, records, "\(first) and \(second) swapped")
        #expect(segment.texts == records.map(\.text))
        var repeated = original
        repeated.insert(original[first], at: second)
        let other = salvage(repeated.flatMap { $0 }, entry, records, "\(first) again before \(second)")
        #expect(other.texts == records.map(\.text))
        #expect(kinds(other).contains(.duplicate))
      }
      var fewer = original
      fewer.remove(at: first)
      let segment = salvage(fewer.flatMap { $0 }, entry, records, "without \(first)")
      let isRecord = (1...4).contains(first)
      #expect(segment.count == (isRecord ? 3 : 4))
      #expect(kinds(segment).contains(.missingRecords) == isRecord)
      #expect(kinds(segment).contains(.missingHeader) == (first == 0))
      #expect(kinds(segment).contains(.missingFooter) == (first == 5))
    }
  }

  @Test("Of two lines of one record, the one with the higher revision is kept, in any order")
  func twoVersions() throws {
    let (bytes, entry) = try segmentFile(someRecords(4))
    let (others, _) = try segmentFile([record(1, day: january.advanced(by: 9), revision: 99, "{\"new\":1}")])
    for place in 1...5 {
      var all = lines(bytes)
      all.insert(lines(others)[1], at: place)
      let segment = Segment.load(all.flatMap { $0 }, entry: entry)
      segment.checkInvariants("at \(place)")
      #expect(segment.count == 4)
      #expect(segment.maxRevision == 99)
      #expect(segment.index(ofID: record(1).id) == 3)
      #expect(segment.record(at: 3).revision == 99)
    }
  }

  @Test("Lines that run together are separated, with and without a byte between them, however many")
  func gluedLines() throws {
    let records = someRecords(6)
    let (bytes, entry) = try segmentFile(records)
    let original = lines(bytes)
    for separator in [[], [UInt8(ascii: "x")], [0], [UInt8(ascii: "{")]] as [[UInt8]] {
      let glued = Array(original.map { Array($0.dropLast()) }.joined(separator: separator))
      for end in [[], [0x0A]] as [[UInt8]] {
        let segment = salvage(glued + end, entry, records, "\(separator) between")
        #expect(segment.texts == records.map(\.text))
        #expect(segment.isFinished)
      }
    }
  }

  @Test("A file of another collection or month is not used, one of another generation is used and reported")
  func foreign() throws {
    let (bytes, entry) = try segmentFile(someRecords())
    for key in [try segmentKey("2026-02"), try segmentKey("all"), try segmentKey("2026-01", CollectionName("weights"))]
    {
      let segment = Segment.load(bytes, key: key)
      #expect(kinds(segment) == [.foreignFile])
      #expect(segment.count == 0)
      segment.checkInvariants("another's file")
    }
    let (others, _) = try segmentFile(someRecords(), generation: 2)
    let segment = Segment.load(others, entry: entry)
    #expect(kinds(segment) == [.differsFromManifest])
    #expect(segment.count == 5)
  }

  @Test("A record of another month is not used")
  func outsideMonth() throws {
    let records = someRecords(4)
    let (bytes, entry) = try segmentFile(records)
    let february = record(9, day: january.advanced(by: 31))
    let strangers = [try segmentFile([february], "2026-02"), try segmentFile([record(9, day: nil)], "all")]
    for (others, _) in strangers {
      var all = lines(bytes)
      all[2] = lines(others)[1]
      let segment = salvage(all.flatMap { $0 }, entry, records, "a stranger")
      #expect(kinds(segment).contains(.outsideMonth))
      #expect(segment.count == 3)
    }
  }

  @Test(
    "A line with a valid checksum is no record without a record's members",
    arguments: [
      "{}", "[", "{\"id\":\"x\"", "{\"segment\":\"x\"", "{\"end\":1",
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z""#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-02-31","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":10,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T24:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":10,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-00000000000g","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":10,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:60.005Z","revision":10,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":-1,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":99999999999999999999,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":01,"schema":1,"body":{}"#,
      #"{"id":"abcdef01-2345-6789-0000-000000000001","day":"2026-01-01","created":"2026-01-05T12:00:00.000Z","updated":"2026-01-05T12:00:00.005Z","revision":1,"schema":1,"body":[]"#,
    ])
  func unknownLines(_ text: String) throws {
    let records = someRecords(4)
    let (bytes, entry) = try segmentFile(records)
    var all = lines(bytes)
    all[2] = line(text)
    let segment = salvage(all.flatMap { $0 }, entry, records, "\(text)")
    #expect(kinds(segment).contains(.unknownLine))
    #expect(segment.count == 3)
  }

  @Test("A file of a newer format is left alone")
  func newerFormat() throws {
    let (bytes, entry) = try segmentFile(someRecords())
    var all = lines(bytes)
    let header = String(decoding: all[0].dropLast(LineSuffix.length + 1), as: UTF8.self)
    all[0] = line(header.replacing("\"segment\":1", with: "\"segment\":2"))
    let segment = Segment.load(all.flatMap { $0 }, entry: entry)
    #expect(kinds(segment) == [.newerFormat])
    #expect(segment.isLossPossible)
    segment.checkInvariants("newer format")
    all[0] = line(header + ",\"new\":[{}]")
    let tolerated = Segment.load(all.flatMap { $0 }, key: entry.key)
    #expect(tolerated.count == 5)
  }

  @Test("A change that keeps every checksum and count is found by the hash only")
  func hash() throws {
    let (bytes, entry) = try segmentFile(someRecords(2))
    var all = lines(bytes)
    let old = String(decoding: all[1].dropLast(LineSuffix.length + 1), as: UTF8.self)
    all[1] = line(old.replacing("Brötchen", with: "Brezelein"))
    let changed = all.flatMap { $0 }
    #expect(changed.count == bytes.count)
    #expect(Segment.load(changed, entry: entry).isIntact)
    #expect(kinds(Segment.load(changed, entry: entry, checksHash: true)) == [.wrongHash, .wrongHash])
  }
}
