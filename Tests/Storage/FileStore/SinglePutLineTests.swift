import CivilTime
import FileStoreTesting
import JSON
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Lines that are read without parsing", .simulated)
struct SinglePutLineTests {
  private static let bodies = [
    "{}", #"{"name":"Oat","calories":350}"#, #"{"a":{"b":[1,{"put":"meals"}]}}"#, #"{"a":"}]"}"#,
    #"{"a":"{","b":"\u007b"}"#,
    #"{"name":"Brötchen","list":[1,2,{}]}"#,
  ]

  private func line(_ entry: JournalEntry) -> [UInt8] { Array(JournalLine.transaction(entry).bytes.dropLast()) }

  private func singlePut(_ text: [UInt8]) -> JournalEntry? { text.withUnsafeBytes { JournalEntry(singlePut: $0) } }

  private func parsed(_ text: [UInt8]) -> JournalEntry? {
    guard case .transaction(let entry)? = try? text.withUnsafeBytes({ try JournalLine(parsing: $0) }) else {
      return nil
    }
    return entry
  }

  /// A transaction of one put, or of something else if the generator decides so.
  private func entry(_ random: inout SeededGenerator) -> JournalEntry {
    func instant() -> Instant { Instant(milliseconds: .random(in: -1_000_000_000...4_000_000_000_000, using: &random)) }
    func id() -> EntityID {
      EntityID(high: .random(in: 0...(.max), using: &random), low: .random(in: 0...(.max), using: &random))
    }
    let at = instant()
    func operation() -> Operation {
      if Int.random(in: 0..<12, using: &random) == 0 { return .delete(CollectionName("meals"), id: id()) }
      return .put(
        CollectionName(["meals", "a", "waterEntries"].randomElement(using: &random) ?? ""), id: id(),
        day: Bool.random(using: &random)
          ? CivilDay(daysSinceEpoch: .random(in: -700_000...2_900_000, using: &random)) : nil,
        schema: .random(in: 0...12, using: &random), createdAt: Bool.random(using: &random) ? at : instant(),
        updatedAt: Bool.random(using: &random) ? at : instant(),
        body: Array((SinglePutLineTests.bodies.randomElement(using: &random) ?? "").utf8))
    }
    let count = Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
    var transaction = Transaction(
      id: id(), at: at, author: ["", "", "cli", "an \"author\"", "Zoë"].randomElement(using: &random) ?? "",
      label: "meals/add", operations: (0..<count).map { _ in operation() })
    if Int.random(in: 0..<12, using: &random) == 0 { transaction.undoes = 7 }
    if Int.random(in: 0..<12, using: &random) == 0 { transaction.result = Array("{}".utf8) }
    var before: [Record?] = []
    if Int.random(in: 0..<8, using: &random) == 0 {
      before = transaction.operations[0].record(revision: 3).map { [$0] } ?? []
    }
    return JournalEntry(
      revision: .random(in: 1...1_000_000, using: &random), replica: id(), transaction: transaction, before: before)
  }

  @Test("The line of an add is recognised")
  func add() throws {
    let text = line(
      JournalEntry(
        revision: 12, replica: EntityID(high: 1, low: 2),
        transaction: transaction(3, [put(5, day: 20_458, #"{"name":"Oat"}"#)]), before: []))
    let read = singlePut(text)
    #expect(read != nil && read == parsed(text))
  }

  @Test(
    "Text after the body makes it another line",
    arguments: [
      #""body":{"a":1},"x":{}}]"#, #""body":{"a":1},"x":1}]"#, #""body":{"a":1},"x":"}}]"}]"#,
      #""body":{"a":1}}],"z":[{}]"#, #""body":{"a":1}}],"z":"}]""#, #""body":{"a":1},"was":{"revision":1}}]"#,
      #""body":{"a":1}},{"delete":"meals","id":"00000000-0000-0007-0000-000000000009"}]"#, #""body":{}}]"#,
      #""body":{"a":[1,{"b":2}]}}]"#, #""body":[{}]}]"#, #""body":{"a":1} }]"#,
    ])
  func endings(_ ending: String) throws {
    let whole = line(
      JournalEntry(
        revision: 12, replica: EntityID(high: 1, low: 2), transaction: transaction(3, [put(5, "{}")]), before: []))
    let text = String(decoding: whole, as: UTF8.self)
    let start = try #require(text.firstRange(of: "\"body\":")?.lowerBound)
    var writer = JSONWriter(capacity: 512)
    for byte in (text[..<start] + ending).utf8 { writer.append(byte) }
    LineSuffix.close(&writer)
    let ended = Array(writer.bytes.dropLast())
    #expect(ended.withUnsafeBytes { LineSuffix.isValid($0) })
    let isPut = [#""body":{}}]"#, #""body":{"a":[1,{"b":2}]}}]"#].contains(ending)
    let read = singlePut(ended)
    #expect((read != nil) == isPut)
    #expect(read == nil || read == parsed(ended))
    // Wherever it is cut off or damaged, nothing past its end is read.
    for count in 0..<ended.count { _ = singlePut(Array(ended.prefix(count))) }
    for place in (ended.count - 20)..<ended.count {
      var damaged = ended
      damaged[place] ^= 0x06
      if let read = singlePut(damaged) { #expect(read == parsed(damaged)) }
    }
  }

  @Test("They equal the parsed result, for any line; also damaged ones, unless the damage is in the body")
  func sameAsParsing() throws {
    var random = SeededGenerator(seed: 11)
    var count = 0
    for _ in 0..<20_000 {
      let entry = entry(&random)
      let text = line(entry)
      #expect(parsed(text) == entry)
      if let read = singlePut(text) {
        count += 1
        #expect(read == entry)
      }
      guard let body = text.firstRange(of: Array(#""body":"#.utf8))?.lowerBound else { continue }
      var damaged = text
      damaged[Int.random(in: 0..<body, using: &random)] = UInt8.random(in: 0...255, using: &random)
      if let read = singlePut(damaged) {
        #expect(read == parsed(damaged), "\(String(decoding: damaged, as: UTF8.self))")
      }
      _ = singlePut(Array(text.prefix(.random(in: 0..<text.count, using: &random))))
    }
    #expect(count > 6000, "most lines are of this kind")
  }
}
