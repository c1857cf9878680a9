import CivilTime
import FileStore
import FileStoreTesting
import Testing
import Values

@Suite("Several changes gathered as one transaction")
struct GatheringTests {
  private let changes = [
    [put(1), put(2)], [put(1, day: 100), .delete(meals, id: id(0))], [.delete(meals, id: id(2)), put(0, day: 7)],
  ]

  @Test("Each sees those before it, and together they are stored like one transaction")
  func together() throws {
    let twins = try TwinStores()
    let (plain, gathered) = (twins.plain, twins.other)
    for store in [plain, gathered] { _ = try store.commit(transaction(0, [put(0)])) }
    let start = try gathered.beginGathering()
    for (index, operations) in changes.enumerated() {
      #expect(try gathered.gather(transaction(index + 1, operations)) == start + index + 1)
      #expect(try gathered.changes(since: start + index).records.count == 2)
    }
    #expect(try gathered.snapshot.record(id(1), in: meals)?.day?.daysSinceEpoch == 100)
    #expect(try gathered.snapshot.record(id(2), in: meals) == nil)
    gathered.endGathering(at: start)
    #expect(try gathered.revision == start)
    #expect(try gathered.snapshot.records(in: meals) == plain.snapshot.records(in: meals))
    let all = transaction(9, changes.flatMap { $0 })
    let revision = try plain.commit(all)
    #expect(try gathered.commit(all) == revision)
    try twins.close()
  }

  @Test("What is not committed leaves no trace, in memory or on disk")
  func dropped() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    _ = try store.commit(transaction(0, [put(0)]))
    let (records, entry) = (
      try store.snapshot.records(in: meals), String(describing: try store.undoEntry(author: "test"))
    )
    let start = try store.beginGathering()
    for (index, operations) in changes.enumerated() { _ = try store.gather(transaction(index + 1, operations)) }
    store.endGathering(at: start)
    #expect(try store.snapshot.records(in: meals) == records)
    #expect(String(describing: try store.undoEntry(author: "test")) == entry)
    #expect(try store.changes(since: start).records.isEmpty)
    try store.checkpoint()
    store.close()
    let again = try FileStore.open(configuration(disk))
    #expect(try again.snapshot.records(in: meals) == records)
    #expect(try again.revision == start)
    again.close()
  }
}
