import CivilTime
import FileStoreTesting
import Testing
import Values

@testable import FileStore

struct SegmentKeyTests {
  @Test("Every month from 0001-01 to 9999-12 has a text that is read back; so have undated records")
  func months() throws {
    var before: MonthKey?
    for year in 1...9999 {
      for month in 1...12 {
        let key = MonthKey(CivilDay(year: year, month: month, day: 1))
        let text = try #require(key.text)
        let isGood = MonthKey(text) == key && text.utf8.count == 7 && (before.map { $0 < key } ?? true)
        if !isGood { Issue.record("\(text) is not read back, or not in order") }
        before = key
      }
    }
    #expect(MonthKey(nil).text == "all")
    #expect(MonthKey("all") == MonthKey(nil))
    #expect(MonthKey.all.days == nil)
    #expect(MonthKey("2024-02")?.days == CivilDay("2024-02-01")!...CivilDay("2024-02-29")!)
  }

  @Test("A month outside these years has no text", arguments: [Int32.min, -800_000, 3_000_000, .max])
  func noText(_ day: Int32) {
    #expect(MonthKey(CivilDay(daysSinceEpoch: day)).text == nil)
    #expect(MonthKey(CivilDay(daysSinceEpoch: day)).days == nil)
    #expect(SegmentKey(meals, MonthKey(CivilDay(daysSinceEpoch: day))) == nil)
  }

  @Test(
    "No other text is a month",
    arguments: [
      "", "ALL", "all ", "2026", "2026-1", "2026-00", "2026-13", "0000-01", "2026-01-", "2026-01-01", "+026-01",
      "2026_01", "2026-0１", " 2026-01", "２026-01",
    ])
  func noMonth(_ text: String) { #expect(MonthKey(text) == nil) }

  @Test(
    "A plain collection name can name a folder",
    arguments: [
      ("meals", true), ("m", true), ("Meals2", true), ("daily-rest", true), (String(repeating: "a", count: 64), true),
      ("", false), (String(repeating: "a", count: 65), false), ("2meals", false), ("-meals", false), ("..", false),
      ("a/b", false), ("a.b", false), ("a b", false), ("mähls", false), ("a\0", false), ("[", false), ("@", false),
    ])
  func collections(_ name: String, _ expected: Bool) {
    #expect(CollectionName(name).isFileName == expected)
    #expect((SegmentKey(CollectionName(name), .all) != nil) == expected)
  }

  @Test("A file's name is read back")
  func fileNames() throws {
    for generation in [1, 3, 10, 1_000_000, Int.max] {
      for month in ["2026-01", "all", "0001-12"] {
        let name = try segmentKey(month).fileName(generation: generation)
        let read = try #require(SegmentFileName(name))
        #expect(read.generation == generation)
        #expect(read.month == MonthKey(month))
      }
    }
    #expect(try segmentKey().fileName(generation: 3) == "2026-01.3.jsonl")
  }

  @Test(
    "No other name is a segment's",
    arguments: [
      "", "2026-01.jsonl", "2026-01.0.jsonl", "2026-01.-1.jsonl", "2026-01.+1.jsonl", "2026-01.01.jsonl",
      "2026-01.1.json", "2026-01.1.jsonl ", "2026-01..jsonl", "2026-01.1.jsonl.tmp", ".1.jsonl", "All.1.jsonl",
      "2026-1.1.jsonl", "2026-01.9223372036854775808.jsonl", "2026-01.1 (conflict).jsonl", "desktop.ini",
    ])
  func noFileName(_ name: String) { #expect(SegmentFileName(name) == nil) }

  @Test("Keys are ordered by collection, then by month, with undated records first")
  func order() throws {
    let keys = try [
      ("Z", "2020-01"), ("a", "all"), ("a", "0001-01"), ("a", "2026-01"), ("a-b", "all"), ("ab", "all"),
    ].map { collection, month in try segmentKey(month, CollectionName(collection)) }
    for (left, right) in zip(keys, keys.dropFirst()) { #expect(left < right && !(right < left) && left != right) }
  }

  @Test("Fixed-width texts are read like the slow readers do, and only in canonical form")
  func fixedTexts() {
    var generator = SeededGenerator(seed: 1)
    let marks = Array("0123456789abcdefTZ:.-".utf8)
    for round in 0..<20_000 {
      let instant = Instant(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator))
      let id = EntityID(high: generator.next(), low: generator.next())
      var texts = [instant.description, instant.utc.day.description, id.description].map { Array($0.utf8) }
      if round > 100 {
        let which = Int(generator.next() % 3)
        let place = Int(generator.next() % UInt64(texts[which].count))
        let byte = UInt8(truncatingIfNeeded: generator.next())
        texts[which][place] = round % 2 == 0 ? byte : marks[Int(byte) % marks.count]
      }
      let instantText = String(decoding: texts[0], as: UTF8.self)
      let dayText = String(decoding: texts[1], as: UTF8.self)
      let idText = String(decoding: texts[2], as: UTF8.self)
      let read = (
        texts[0].withUnsafeBytes { FixedText.instant($0.baseAddress!) },
        texts[1].withUnsafeBytes { FixedText.day($0.baseAddress!) },
        texts[2].withUnsafeBytes { FixedText.id($0.baseAddress!) }
      )
      let expected = (
        Instant(instantText).flatMap { $0.description == instantText ? $0 : nil }, CivilDay(dayText),
        EntityID(idText).flatMap { $0.description == idText ? $0 : nil }
      )
      if read != expected { Issue.record("\(instantText) \(dayText) \(idText): \(read), not \(expected)") }
    }
  }
}
