import CivilTime
import Pacing
import Testing
import Values

@testable import FileStore

@Suite(.simulated)
struct JournalLineTests {
  private let entry = JournalEntry(
    revision: 12, replica: EntityID(high: 1, low: 2),
    transaction: Transaction(
      id: EntityID(high: 3, low: 4), at: Instant(milliseconds: 1_767_614_400_000), author: "an \"author\"\n",
      label: "meals/add", undoes: 7,
      operations: [
        put(
          5, day: 20_458, created: 1_767_614_400_123, #"{"name":"Brötchen","kcal":120.50,"a":[1,{"crc":"00000000"}]}"#),
        put(6, day: nil, "{}"), .delete(meals, id: id(9)),
      ]),
    before: [
      nil, put(6, day: 20_000, created: 4, "{\"old\":1}").record(revision: 3),
      put(9, day: nil, created: 5, "{}").record(revision: 11),
    ])

  @Test("The line has the documented form")
  func text() {
    var small = entry
    small.transaction.author = "cli"
    small.transaction.operations = [put(5, day: 20_458, "{\"a\":1}"), .delete(meals, id: id(9))]
    small.before = [nil, put(9, day: 20_457, "{\"b\":2}").record(revision: 3)]
    let text = String(decoding: JournalLine.transaction(small).bytes, as: UTF8.self)
    let expected: [String] = [
      #"{"seq":12,"at":"2026-01-05T12:00:00.000Z","replica":"00000000-0000-0001-0000-000000000002","#,
      #""tx":"00000000-0000-0003-0000-000000000004","by":"cli","why":"meals/add","undoes":7,"do":["#,
      #"{"put":"meals","id":"00000000-0000-0007-0000-000000000005","day":"2026-01-05","schema":1,"#,
      #""created":"1970-01-01T00:00:00.000Z","updated":"1970-01-01T00:00:00.000Z","body":{"a":1}},"#,
      #"{"delete":"meals","id":"00000000-0000-0007-0000-000000000009","was":{"revision":3,"day":"2026-01-04","schema":1,"#,
      #""created":"1970-01-01T00:00:00.000Z","updated":"1970-01-01T00:00:00.000Z","body":{"b":2}}}],"crc":""#,
    ]
    #expect(String(text.dropLast(11)) == expected.joined())
    #expect(text.hasSuffix("\"}\n"))
  }

  @Test("What was written is read, bodies byte for byte")
  func roundTrip() throws {
    let bytes = JournalLine.transaction(entry).bytes
    #expect(bytes.last == UInt8(ascii: "\n"))
    let line = try bytes.dropLast().withUnsafeBytes { line in
      #expect(LineSuffix.isValid(line))
      return try JournalLine(reading: line)
    }
    guard case .transaction(let read) = line else {
      Issue.record("no transaction")
      return
    }
    #expect(read == entry)
  }

  @Test("Members of newer versions are skipped")
  func unknownMembers() throws {
    var text = String(decoding: JournalLine.transaction(entry).bytes.dropLast(), as: UTF8.self)
    text = text.replacing("{\"seq\"", with: "{\"new\":{\"a\":[null]},\"seq\"")
    text = text.replacing("\"schema\":1", with: "\"schema\":1,\"tags\":[\"x\"]")
    let line = try Array(text.utf8).withUnsafeBytes { try JournalLine(reading: $0) }
    guard case .transaction(let read) = line else {
      Issue.record("no transaction")
      return
    }
    #expect(read == entry)
  }

  @Test("An operation of a newer version makes the whole transaction unknown")
  func unknownOperation() {
    let text = String(decoding: JournalLine.transaction(entry).bytes.dropLast(), as: UTF8.self)
      .replacing("{\"delete\"", with: "{\"patch\"")
    #expect(throws: (any Error).self) { try Array(text.utf8).withUnsafeBytes { try JournalLine(reading: $0) } }
  }

  @Test("The seal names the successor")
  func seal() throws {
    let bytes = JournalLine.seal(successor: "000002.jsonl").bytes
    let line = try bytes.dropLast().withUnsafeBytes { bytes in
      #expect(LineSuffix.isValid(bytes))
      return try JournalLine(reading: bytes)
    }
    guard case .seal("000002.jsonl", nil) = line else {
      Issue.record("no seal")
      return
    }
  }
}
