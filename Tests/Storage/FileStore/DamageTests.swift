import FileStore
import FileStoreTesting
import Pacing
import Testing

@Suite(.simulated)
struct DamageTests {
  /// A disk with five transactions in one journal file, and the end of each line, newline included.
  private func prepare() throws -> (disk: SimulatedDisk, journal: [UInt8], ends: [Int]) {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    for number in 0..<5 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    store.close()
    let journal = try #require(disk.contents(journalFile))
    return (disk, journal, journal.indices.filter { journal[$0] == UInt8(ascii: "\n") }.map { $0 + 1 })
  }

  @Test(
    "For any changed byte of a journal, every other transaction is read, nothing is written, and it is reported")
  func everyByte() throws {
    let (prepared, journal, ends) = try prepare()
    for offset in Sweeps.places(journal.indices) {
      let hit = ends.firstIndex { offset < $0 } ?? 0
      for mask in [0x01, 0x20, 0xFF] as [UInt8] {
        let disk = prepared.afterCrash(.nothing)
        var damaged = journal
        damaged[offset] ^= mask
        disk.setContents(journalFile, damaged)
        let store = try FileStore.open(configuration(disk))
        let known = try store.known(0..<5)
        #expect(known.filter { $0 != hit } == (0..<5).filter { $0 != hit }, "offset \(offset), mask \(mask)")
        #expect(!store.recoveryReport.findings.isEmpty, "offset \(offset), mask \(mask)")
        #expect(disk.changes == 0)
        store.close()
      }
    }
  }

  @Test("With any byte of a journal lost, work continues, and readable data stays readable")
  func shouldContinue() throws {
    let (prepared, journal, ends) = try prepare()
    for offset in Sweeps.places(journal.indices) {
      let hit = ends.firstIndex { offset < $0 } ?? 0
      let disk = prepared.afterCrash(.nothing)
      var damaged = journal
      damaged.remove(at: offset)
      disk.setContents(journalFile, damaged)
      let store = try FileStore.open(configuration(disk))
      let contents = try store.snapshot.contents
      #expect(store.commitAndWait(transaction(9, [put(9)])))
      store.close()
      let again = try FileStore.open(configuration(disk))
      #expect(try again.snapshot.contents == contents.merging([9: "{}"]) { old, _ in old }, "offset \(offset)")
      #expect(try again.known(0..<5).filter { $0 != hit } == (0..<5).filter { $0 != hit }, "offset \(offset)")
      if try !again.known(0..<5).contains(hit), offset < journal.count - 1 {
        #expect(again.recoveryReport.isLossPossible, "a loss stays on record; offset \(offset)")
      }
      again.close()
    }
  }

  @Test("Wherever a journal is cut off, every transaction before is read, and work continues")
  func everyLength() throws {
    let (prepared, journal, ends) = try prepare()
    for length in Sweeps.places(0...journal.count) {
      let disk = prepared.afterCrash(.nothing)
      disk.setContents(journalFile, Array(journal[..<length]))
      let store = try FileStore.open(configuration(disk))
      // A line that lacks only its newline is complete.
      let whole = ends.filter { $0 - 1 <= length }.count
      let isComplete = length == 0 || ends.contains(length) || ends.contains(length + 1)
      #expect(try store.known(0..<5) == Array(0..<whole))
      #expect(disk.changes == 0)
      #expect(store.recoveryReport.findings.map(\.kind) == (isComplete ? [] : [.tornTail]), "length \(length)")
      #expect(store.commitAndWait(transaction(9, [put(9)])))
      store.close()
      let again = try FileStore.open(configuration(disk.afterCrash(.nothing)))
      #expect(try again.known(0..<10) == Array(0..<whole) + [9])
      #expect(!again.recoveryReport.isLossPossible)
      again.close()
    }
  }

  @Test("A tail of zeros is a tear, not damage")
  func zeros() throws {
    let (disk, journal, _) = try prepare()
    disk.setContents(journalFile, journal + [UInt8](repeating: 0, count: 704))
    let store = try FileStore.open(configuration(disk))
    #expect(try store.known(0..<5) == [0, 1, 2, 3, 4])
    #expect(store.recoveryReport.findings.map(\.kind) == [.tornTail])
    #expect(!store.recoveryReport.isLossPossible)
    store.close()
  }

  @Test("A missing line is a gap, a repeated one is dropped, swapped ones are both read")
  func lines() throws {
    let (prepared, journal, ends) = try prepare()
    let starts = [0] + ends.dropLast()
    func line(_ number: Int) -> ArraySlice<UInt8> { journal[starts[number]..<ends[number]] }
    func kinds(_ lines: [Int]) throws -> ([Finding.Kind], [Int]) {
      let disk = prepared.afterCrash(.nothing)
      disk.setContents(journalFile, lines.flatMap { line($0) })
      let store = try FileStore.open(configuration(disk))
      defer { store.close() }
      let known = try store.known(0..<5)
      return (store.recoveryReport.findings.map(\.kind), known)
    }
    #expect(try kinds([0, 1, 3, 4]) == ([.sequenceGap], [0, 1, 3, 4]))
    #expect(try kinds([0, 1, 1, 2, 3, 4]) == ([.duplicate], [0, 1, 2, 3, 4]))
    #expect(try kinds([0, 2, 1, 3, 4]).1 == [0, 1, 2, 3, 4])
  }

  @Test("A finding has its place and the neighbouring numbers")
  func neighbours() throws {
    let (disk, journal, ends) = try prepare()
    var damaged = journal
    damaged[ends[1] + 10] ^= 1
    disk.setContents(journalFile, damaged)
    let store = try FileStore.opened(configuration(disk))
    let finding = try #require(store.recoveryReport.findings.first)
    #expect(finding.kind == .damagedLine)
    #expect(finding.file == "journal/000001.jsonl")
    #expect(finding.offset == ends[1])
    #expect(finding.length == ends[2] - ends[1] - 1)
    #expect(finding.previousSequence == 2)
    #expect(finding.nextSequence == 4)
    #expect(store.recoveryReport.damagedLines == 1)
    store.close()
  }

  @Test("The number of a damaged last line is not reused, so that the gap proves the loss for good")
  func damagedEnd() throws {
    let (disk, journal, ends) = try prepare()
    var damaged = journal
    damaged[ends[3] + 10] ^= 1
    disk.setContents(journalFile, damaged)
    let store = try FileStore.open(configuration(disk))
    #expect(try store.known(0..<5) == [0, 1, 2, 3])
    #expect(try store.revision == 5)
    #expect(throws: StoreError.self, "a reader that saw the lost one must read again") { try store.changes(since: 4) }
    #expect(try store.commit(transaction(9, [put(9)])) == 6)
    store.close()
    let again = try FileStore.opened(configuration(disk))
    #expect(again.recoveryReport.findings.map(\.kind) == [.damagedLine, .sequenceGap])
    again.close()
  }

  @Test("Random bytes in a journal do not stop the store", arguments: 0..<20 as Range<UInt64>)
  func noise(_ seed: UInt64) throws {
    let disk = try prepare().disk.afterCrash(.nothing)
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "{", "}", "\n", ",\"crc\":\"00000000\"}", "{\"seq\":9223372036854775807", " torn\n", "\0", "\u{FF}", "\"",
    ]
    let noise = (0..<400).flatMap { _ in
      Bool.random(using: &generator)
        ? Array((pieces.randomElement(using: &generator) ?? "").utf8) : [UInt8.random(in: 0...255, using: &generator)]
    }
    disk.setContents(journalFile, noise)
    disk.setContents(folder + "/store.json", Array(noise.prefix(100)))
    let store = try FileStore.open(configuration(disk))
    #expect(try store.snapshot.count(in: meals) == 0)
    #expect(store.recoveryReport.findings.contains { $0.kind == .identityLost })
    #expect(disk.changes == 0)
    #expect(store.commitAndWait(transaction(9, [put(9)])))
    store.close()
  }

  @Test("An unreadable part is reported, and nothing is written over it until it can be read")
  func unreadable() throws {
    let (disk, _, ends) = try prepare()
    disk.setFaults { $0.unreadableFrom = 600 }
    let store = try FileStore.open(configuration(disk))
    let whole = ends.filter { $0 <= 600 }.count
    #expect(try store.known(0..<5) == Array(0..<whole))
    #expect(store.recoveryReport.findings.map(\.kind).contains(.unreadableRange))
    let error = #expect(throws: StoreError.self) { try store.commit(transaction(9, [put(9)])) }
    #expect(error?.code == .storeUnavailable)
    disk.setFaults { $0.unreadableFrom = nil }
    #expect(store.commitAndWait(transaction(9, [put(9)])))
    #expect(try store.known(0..<10) == [0, 1, 2, 3, 4, 9])
    store.close()
  }
}
