import CivilTime
import FileStoreTesting
import Pacing
import Testing
import Values

@testable import FileStore

@Suite("Lines that are read without parsing", .simulated)
struct OrdinaryLineTests {
  private static let bodies = [
    "{}", #"{"name":"Oat","calories":350}"#, #"{"a":{"b":[1,{"put":"meals"}]}}"#, #"{"a":"}]"}"#,
    #"{"a":"{","b":"\u007b"}"#,
    #"{"name":"Brötchen","list":[1,2,{}]}"#,
  ]

  private func line(_ entry: JournalEntry) -> [UInt8] { Array(JournalLine.transaction(entry).bytes.dropLast()) }

  private func ordinary(_ text: [UInt8]) -> JournalEntry? { text.withUnsafeBytes { JournalEntry(ordinary: $0) } }

  private func parsed(_ text: [UInt8]) -> JournalEntry? {
    guard case .transaction(let entry)? = try? text.withUnsafeBytes({ try JournalLine(parsing: $0) }) else {
      return nil
    }
    return entry
  }

  /// A transaction of one put, or of something else where the generator wants that.
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
        body: Array((OrdinaryLineTests.bodies.randomElement(using: &random) ?? "").utf8))
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

  @Test("The line of an add is")
  func add() throws {
    let text = line(
      JournalEntry(
        revision: 12, replica: EntityID(high: 1, low: 2),
        transaction: transaction(3, [put(5, day: 20_458, #"{"name":"Oat"}"#)]), before: []))
    let read = ordinary(text)
    #expect(read != nil && read == parsed(text))
  }

  @Test("They say what parsing says, of whatever is written; damaged ones too, unless the damage is in the body")
  func sameAsParsing() throws {
    var random = SeededGenerator(seed: 11)
    var count = 0
    for _ in 0..<20_000 {
      let entry = entry(&random)
      let text = line(entry)
      #expect(parsed(text) == entry)
      if let read = ordinary(text) {
        count += 1
        #expect(read == entry)
      }
      guard let body = text.firstRange(of: Array(#""body":"#.utf8))?.lowerBound else { continue }
      var damaged = text
      damaged[Int.random(in: 0..<body, using: &random)] = UInt8.random(in: 0...255, using: &random)
      if let read = ordinary(damaged) {
        #expect(read == parsed(damaged), "\(String(decoding: damaged, as: UTF8.self))")
      }
      _ = ordinary(Array(text.prefix(.random(in: 0..<text.count, using: &random))))
    }
    #expect(count > 6000, "most are of this kind")
  }
}
