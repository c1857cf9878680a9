import CivilTime
import Testing
import Values

@testable import FileStore

@Suite("Entries of the quarantine")
struct QuarantineEntryTests {
  @Test("An entry of the list is read back unchanged")
  func entry() throws {
    var entry = QuarantineEntry(
      at: Instant(milliseconds: 1_767_614_400_000), file: "journal/000001.jsonl", offset: 7, length: 90,
      kind: "damagedLine", reason: "“x”\n", previousSequence: 4, nextSequence: 6, copy: "a", isWhole: true,
      checksum: .max)
    entry.records = [RecordReference(collection: meals, id: id(1)), RecordReference(collection: nil, id: id(2))]
    entry.revision = 4
    let line = entry.line
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.dropLast().withUnsafeBytes { QuarantineEntry(line: $0) } == entry)
    for index in line.indices.dropLast() {
      var other = Array(line.dropLast())
      other[index] ^= 4
      #expect(other.withUnsafeBytes { QuarantineEntry(line: $0) } == nil)
    }
  }

  @Test("The records that a damaged line names are found, with their collections where those can be read")
  func references() throws {
    let entry = JournalEntry(
      revision: 4, replica: id(9),
      transaction: transaction(
        1, [put(1, "{\"id\":\"\(id(1))\",\"of\":{\"id\":\"\(id(3))\"}}"), .delete(CollectionName("foods"), id: id(2))]),
      before: [])
    let line = JournalLine.transaction(entry).bytes
    func found(_ line: [UInt8]) -> [RecordReference] {
      line.withUnsafeBytes { RecordReference.all(in: $0, of: nil) }
    }
    #expect(
      found(line) == [
        RecordReference(collection: meals, id: id(1)), RecordReference(collection: nil, id: id(3)),
        RecordReference(collection: CollectionName("foods"), id: id(2)),
      ])
    for length in line.indices { _ = found(Array(line[..<length])) }
    for index in line.indices {
      var other = line
      other[index] ^= 0x11
      #expect(found(other).count >= 2)
    }
  }
}
