import FileStore
import FileStoreTesting
import Pacing
import Testing

@Suite(.simulated)
struct DiskFullTests {
  @Test("However few bytes the disk accepts at once, transactions are written whole", arguments: [1, 7, 100])
  func shortWrites(_ length: Int) throws {
    let disk = SimulatedDisk()
    disk.setFaults { $0.longestAppend = length }
    let store = try FileStore.open(configuration(disk))
    for number in 0..<3 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
    store.close()
    let again = try FileStore.open(configuration(disk.afterCrash(.nothing)))
    #expect(try again.known(0..<3) == [0, 1, 2])
    #expect(again.recoveryReport.findings.isEmpty)
    again.close()
  }

  @Test("Wherever the disk becomes full, the commit fails, the store stays readable, and continues once there is space")
  func fullAnywhere() throws {
    let empty = SimulatedDisk()
    let measured = try FileStore.open(configuration(empty))
    #expect(measured.commitAndWait(transaction(0, [put(0)])))
    let first = empty.contents(journalFile)?.count ?? 0
    #expect(measured.commitAndWait(transaction(1, [put(1)])))
    let line = (empty.contents(journalFile)?.count ?? 0) - first
    measured.close()
    for free in 0..<line {
      let disk = SimulatedDisk()
      let reports = Reports()
      let store = try FileStore.open(configuration(disk, reports: reports))
      #expect(store.commitAndWait(transaction(0, [put(0)])))
      disk.setFaults { $0.freeBytes = free }
      #expect(!store.commitAndWait(transaction(1, [put(1)])))
      #expect(reports.failures.map(\.code) == [.diskFull])
      #expect(try store.snapshot.contents == [0: "{}"])
      #expect(!store.commitAndWait(transaction(2, [put(2)])))
      disk.setFaults { $0.freeBytes = nil }
      #expect(store.commitAndWait(transaction(3, [put(3)])))
      #expect(try store.revision == 2, "the failed revision is used again")
      store.close()
      let again = try FileStore.open(configuration(disk.afterCrash(.nothing)))
      #expect(try again.known(0..<4) == [0, 3], "free bytes: \(free)")
      #expect(!again.recoveryReport.isLossPossible, "\(again.recoveryReport.findings)")
      again.close()
    }
  }

  @Test("Even if the free space is taken during a checkpoint on a full disk, a deletion can be written")
  func deletionsBesideACheckpoint() throws {
    var isOver = false
    var calls = 0
    while !isOver {
      let disk = SimulatedDisk()
      let process = disk.process(2)
      func opened(_ process: SimulatedProcess) throws -> FileStore {
        var settings = configuration(process)
        settings.reserveSize = 8192
        settings.isInline = true
        return try FileStore.open(settings)
      }
      let (store, checkpointing) = (try opened(disk.process(1)), try opened(process))
      #expect(store.commitAndWait(transaction(0, [put(0)])))
      try store.checkpoint()
      for number in 1..<3 { #expect(store.commitAndWait(transaction(number, [put(number)]))) }
      disk.setFaults { $0.freeBytes = 0 }
      // Another program takes all the space, at any moment.
      disk.interrupt(process, afterCalls: calls) { disk.setFaults { $0.freeBytes = 0 } }
      try? checkpointing.checkpoint()
      isOver = disk.endInterruption()
      disk.setFaults { $0.freeBytes = 0 }
      let isWritten = store.commitAndWait(transaction(9, [.delete(meals, id: id(0))]))
      if !isWritten { Issue.record("after \(calls) calls of the checkpoint there is no room") }
      checkpointing.close()
      store.close()
      calls += 1
    }
  }

  @Test("Of a batch, the lines that were written count, and the others fail")
  func halfABatch() throws {
    let disk = SimulatedDisk()
    let reports = Reports()
    let store = try FileStore.open(configuration(disk, reports: reports))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    let line = (disk.contents(journalFile)?.count ?? 0)
    disk.setFaults { $0.freeBytes = line * 3 + 5 }
    for number in 1..<9 { _ = try? store.commit(transaction(number, [put(number)])) }
    store.waitUntilDurable()
    #expect(reports.failures.map(\.code) == [.diskFull])
    #expect(store.durableRevision == reports.durable)
    #expect((1...4).contains(store.durableRevision))
    store.rollBack()
    #expect(try store.revision == store.durableRevision)
    #expect(try store.snapshot.count(in: meals) == store.durableRevision)
    disk.setFaults { $0.freeBytes = nil }
    #expect(store.commitAndWait(transaction(10, [put(10)])))
    let contents = try store.snapshot.contents
    store.close()
    let again = try FileStore.open(configuration(disk.afterCrash(.nothing)))
    #expect(try again.snapshot.contents == contents)
    again.close()
  }

  @Test("A failure blocks later lines until it is rolled back, and is reported once")
  func laterCommits() throws {
    let disk = SimulatedDisk()
    let reports = Reports()
    let store = try FileStore.open(configuration(disk, reports: reports))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    disk.setFaults { $0.freeBytes = 0 }
    _ = try store.commit(transaction(1, [put(1)]))
    store.waitUntilDurable()
    let error = #expect(throws: StoreError.self) { try store.commit(transaction(2, [put(2)])) }
    #expect(error?.code == .rollBackPending)
    #expect(error?.details["cause"] == "diskFull")
    #expect(reports.failures.count == 1)
    store.rollBack()
    #expect(try store.revision == 1)
    #expect(try store.snapshot.count(in: meals) == 1)
    store.close()
  }
}
