import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

@Suite("What others wrote is made durable before anything is answered because of it", .simulated)
struct ProofTests {
  /// A failure while another process's lines are made durable.
  struct Trouble: Sendable, CustomTestStringConvertible {
    var call: DiskCall
    var reason: FileSystemError.Reason
    var isForEver: Bool

    /// The end of the path concerned.
    var name: String { call == .synchronizeDirectory ? "journal" : "00001.jsonl" }

    var testDescription: String { "\(call.rawValue): \(reason)\(isForEver ? ", for ever" : "")" }

    static let all = [DiskCall.open, .synchronizeFile, .synchronizeDirectory].flatMap { call in
      [FileSystemError.Reason.inputOutput, .noSpace, .other].flatMap { reason in
        [false, true].map { Trouble(call: call, reason: reason, isForEver: $0) }
      }
    }
  }

  /// A disk on which a process was killed between writing transaction 0 and syncing it, and a store that has read it.
  private func reader(_ reports: Reports, isInline: Bool) throws -> (SimulatedDisk, FileStore) {
    let disk = SimulatedDisk()
    let founder = try FileStore.opened(configuration(disk))
    #expect(founder.commitAndWait(transaction(9, [put(9)])))
    founder.close()
    let dead = disk.process(7)
    var settings = configuration(dead)
    settings.isInline = true
    settings.onDurable = { _ in }
    let killed = try FileStore.opened(settings)
    _ = try killed.commit(transaction(0, [put(0)]))
    let before = disk.contents(journalFile)?.count ?? 0
    // Its first call of the write appends, the second syncs.
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeFile], isForEver: true, process: 7)]
    }
    disk.setFaults { $0.failingCreations = 9 }
    killed.waitUntilDurable()
    disk.kill(dead)
    disk.setFaults { $0 = SimulatedDisk.Faults() }
    #expect((disk.contents(journalFile)?.count ?? 0) > before)
    var own = configuration(disk.process(8), reports: reports)
    own.isInline = isInline
    own.reserveSize = 0
    return (disk, try FileStore.opened(own))
  }

  @Test(
    "A repeated change is answered as stored only if it is, and the store goes on", arguments: Trouble.all,
    [true, false])
  func repeated(_ trouble: Trouble, isInline: Bool) throws {
    let reports = Reports()
    let (disk, store) = try reader(reports, isInline: isInline)
    let again = transaction(0, [put(0)])
    disk.setFaults {
      $0.rules = [
        DiskFault(
          .fails(trouble.reason), calls: [trouble.call], isForEver: trouble.isForEver, process: 8, name: trouble.name)
      ]
      // Nor can the lines then be rewritten into another file.
      $0.failingCreations = trouble.isForEver ? 9 : 0
    }
    let revision = try store.commit(again)
    #expect(revision == 2)
    store.waitUntilDurable()
    let isAcknowledged = store.provenRevision >= revision
    #expect(isAcknowledged != !reports.failures.isEmpty, "either durable or refused")
    if isAcknowledged {
      let crashed = try FileStore.opened(configuration(disk.afterCrash(.nothing)))
      #expect(try crashed.known(0..<1) == [0])
      crashed.close()
    }
    store.rollBack()
    #expect(!store.isSettling)
    #expect(try store.snapshot.contents == [9: "{}", 0: "{}"], "nothing of others is rolled back")

    disk.setFaults { $0 = SimulatedDisk.Faults() }
    #expect(store.commitAndWait(transaction(1, [put(1)])), "the calls work again, and so does the store")
    #expect(try store.revision == 3)
    store.close()
    let crashed = try FileStore.opened(configuration(disk.afterCrash(.nothing)))
    #expect(try crashed.known(0..<2) == [0, 1])
    #expect(!crashed.recoveryReport.isLossPossible, "\(crashed.recoveryReport.findings)")
    crashed.close()
  }

  @Test("After a sync that failed, another one of the same file is no proof")
  func anotherSync() throws {
    let reports = Reports()
    let (disk, store) = try reader(reports, isInline: true)
    // The cache drops the data, and reports it once.
    disk.setFaults {
      $0.failingSyncs = 1
      $0.failingCreations = 1
    }
    #expect(try store.beginWriting())
    store.endWriting()
    #expect(throws: StoreError.self) { try store.settle() }
    #expect(try store.beginWriting())
    store.endWriting()
    try store.settle()
    store.close()
    let crashed = try FileStore.opened(configuration(disk.afterCrash(.nothing)))
    #expect(try crashed.known(0..<1) == [0])
    crashed.close()
  }

  @Test("Proven lines are not synced again until others have written")
  func onceOnly() throws {
    let (disk, store) = try reader(Reports(), isInline: true)
    for _ in 0..<2 {
      #expect(try store.beginWriting())
      store.endWriting()
      try store.settle()
      #expect(!store.needsProof)
    }
    #expect(try store.beginWriting())
    let calls = disk.calls
    store.endWriting()
    try store.settle()
    #expect(disk.calls == calls)
    store.close()
  }

  @Test("A blocked write changes nothing in memory")
  func obstacle() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.opened(configuration(disk))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeFile, .create], isForEver: true)]
    }
    #expect(!store.commitAndWait(transaction(1, [put(1)])))
    #expect(throws: StoreError.self) { try store.commit(transaction(2, [put(2)])) }
    #expect(!store.isSettling)
    #expect(try store.revision == store.durableRevision)
    #expect(store.refusal?.code == .storeReadOnly)
    store.close()
  }
}
