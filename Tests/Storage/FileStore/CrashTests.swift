import FileStore
import FileStoreTesting
import Pacing
import Testing

@Suite(.simulated)
struct CrashTests {
  /// A few commits, one after the other; returns the numbers of those answered.
  private func run(_ disk: SimulatedDisk, _ limit: Int) -> [Int] {
    var settings = configuration(disk)
    settings.journalSizeLimit = limit
    guard let store = try? FileStore.open(settings) else { return [] }
    defer { store.close() }
    return (0..<4).filter { number in
      store.commitAndWait(transaction(number, [put(100, "{\"n\":\(number)}"), put(number)]))
    }
  }

  private func check(_ disk: SimulatedDisk, answered: [Int], _ comment: Comment) throws {
    let store = try FileStore.open(configuration(disk))
    #expect(disk.changes == 0, "opening wrote; \(comment)")
    #expect(!store.recoveryReport.isLossPossible, "\(store.recoveryReport.findings); \(comment)")
    let known = try store.known(0..<4)
    #expect(Set(answered).isSubset(of: known), comment)
    #expect(known == Array(0..<known.count), "the order is kept; \(comment)")
    var expected = Dictionary(uniqueKeysWithValues: known.map { (UInt64($0), "{}") })
    if let last = known.last { expected[100] = "{\"n\":\(last)}" }
    #expect(try store.snapshot.contents == expected, comment)
    #expect(try store.revision == known.count, comment)
    store.close()
  }

  @Test(
    "After a power cut at any call every answered transaction is there once, every other one whole or not at all",
    arguments: [16 << 20, 500])
  func sweep(_ limit: Int) throws {
    let dry = SimulatedDisk()
    #expect(run(dry, limit) == [0, 1, 2, 3])
    let survivals: [Survival] = [.nothing, .everything] + (0..<8).map { .random(seed: UInt64($0)) }
    for cut in Sweeps.places(0...dry.calls) {
      let disk = SimulatedDisk()
      disk.cutPower(afterCalls: cut)
      let answered = run(disk, limit)
      for survival in survivals {
        let comment: Comment = "power cut at \(cut), \(survival)"
        let found = disk.afterCrash(survival)
        try check(found, answered: answered, comment)
        // Opening wrote nothing, so the second time shows the same.
        try check(found.afterCrash(.nothing), answered: answered, comment)
        try continueAndCrash(found, answered: answered, cut, comment)
      }
    }
  }

  /// Work continues after a crash, and a crash during that loses nothing either.
  private func continueAndCrash(
    _ disk: SimulatedDisk, answered: [Int], _ cut: Int, _ comment: Comment
  ) throws {
    let store = try FileStore.open(configuration(disk))
    let known = try store.known(0..<4)
    disk.cutPower(afterCalls: cut % 12)
    let isAnswered = store.commitAndWait(transaction(9, [put(9)]))
    store.close()
    let found = disk.afterCrash(.random(seed: UInt64(cut)))
    let second = try FileStore.open(configuration(found))
    #expect(try Set(answered).isSubset(of: second.known(0..<4)), comment)
    if isAnswered { #expect(try second.known(9..<10) == [9], comment) }
    #expect(!second.recoveryReport.isLossPossible, "\(second.recoveryReport.findings); \(comment)")
    #expect(second.commitAndWait(transaction(10, [put(10)])), comment)
    second.close()
    let third = try FileStore.open(configuration(found.afterCrash(.nothing)))
    #expect(try third.known(10..<11) == [10], comment)
    #expect(Set(known).isSuperset(of: answered), comment)
    #expect(!third.recoveryReport.isLossPossible, "\(third.recoveryReport.findings); \(comment)")
    third.close()
  }

  @Test("After a failed sync the same transactions go into a new file, and nothing of them is lost or doubled")
  func failedSync() throws {
    for failing in 0..<3 {
      let disk = SimulatedDisk()
      let reports = Reports()
      let store = try FileStore.open(configuration(disk, reports: reports))
      for number in 0..<3 {
        if number == failing, number > 0 { disk.setFaults { $0.failingSyncs = 1 } }
        #expect(store.commitAndWait(transaction(number, [put(number)])))
      }
      store.close()
      #expect(reports.failures.isEmpty)
      if failing > 0 { #expect(disk.contents(folder + "/journal/000002.jsonl") != nil) }
      for survival in [Survival.nothing, .everything, .random(seed: 5)] {
        let again = try FileStore.open(configuration(disk.afterCrash(survival)))
        #expect(try again.known(0..<3) == [0, 1, 2])
        #expect(try again.revision == 3)
        again.close()
      }
    }
  }

  @Test("When the new file fails too, the store becomes read-only")
  func failedTwice() throws {
    let disk = SimulatedDisk()
    let reports = Reports()
    let store = try FileStore.open(configuration(disk, reports: reports))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    disk.setFaults { $0.failingSyncs = 2 }
    #expect(!store.commitAndWait(transaction(1, [put(1)])))
    #expect(reports.failures.map(\.code) == [.storeReadOnly])
    #expect(try store.snapshot.contents == [0: "{}"])
    #expect(throws: StoreError.self) { try store.commit(transaction(2, [put(2)])) }
    #expect(try store.revision == 1)
    store.close()
  }
}
