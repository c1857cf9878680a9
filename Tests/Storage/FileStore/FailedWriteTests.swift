import FileStoreTesting
import Pacing
import Testing

@testable import FileStore

@Suite("After a write that failed for good", .simulated)
struct FailedWriteTests {
  /// What keeps the line out of a second file after the sync of the first one failed.
  enum Obstacle: CaseIterable {
    case sync, creation, append
  }

  @Test(
    "A process shows at once what the files have, whether or not it has followed others before",
    arguments: Obstacle.allCases, [true, false])
  func shows(_ obstacle: Obstacle, hasLooked: Bool) throws {
    let disk = SimulatedDisk()
    disk.setFaults { $0.mapsFiles = true }
    let founder = try FileStore.open(inline(disk.process(7)))
    #expect(founder.commitAndWait(transaction(0, [put(0)])))
    founder.close()
    let reports = Reports()
    var settings = inline(disk.process(8))
    settings.onCommitFailure = { reports.failed($0) }
    let store = try FileStore.open(settings)
    #expect(try store.revision == 1)
    if hasLooked { #expect(try !store.follow()) }
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeFile], isForEver: true)]
      switch obstacle {
      case .sync: break
      case .creation: $0.rules.append(DiskFault(.fails(.inputOutput), calls: [.create], isForEver: true))
      case .append: $0.rules.append(DiskFault(.fails(.noSpace), calls: [.append], isForEver: true, name: "2.jsonl"))
      }
    }
    #expect(!store.commitAndWait(transaction(1, [put(1)])))
    #expect(store.refusal?.code == .storeReadOnly)
    let failure = try #require(reports.failures.first)
    #expect(failure.code == .storeReadOnly && failure.message.contains("may have been stored"))
    #expect(store.refusal?.message.contains("nothing was stored") == true, "a later write is not in doubt")
    let other = try FileStore.open(inline(disk.process(9)))
    #expect(try other.snapshot.contents == [0: "{}", 1: "{}"])
    #expect(try store.follow())
    #expect(try store.snapshot.contents == other.snapshot.contents && store.revision == other.revision)
    #expect(try !store.follow())
  }

  @Test("It also does so when the line is only in a second file because the first was doubtful")
  func doubt() throws {
    let disk = SimulatedDisk()
    disk.setFaults { $0.mapsFiles = true }
    let store = try FileStore.open(inline(disk.process(8)))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    let other = try FileStore.open(inline(disk.process(9)))
    #expect(other.commitAndWait(transaction(1, [put(1)])))
    disk.setFaults {
      $0.rules = [DiskFault(.fails(.inputOutput), calls: [.synchronizeFile], isForEver: true, process: 8)]
    }
    #expect(try store.beginWriting())
    store.endWriting()
    store.waitUntilDurable()
    #expect(store.hasFailed, "the other process's writes cannot be proven")
    store.rollBack()
    #expect(!store.commitAndWait(transaction(2, [put(2)])))
    #expect(try store.follow())
    try other.poll()
    #expect(try other.snapshot.contents == [0: "{}", 1: "{}", 2: "{}"])
    #expect(try store.snapshot.contents == other.snapshot.contents && store.revision == other.revision)
  }
}
