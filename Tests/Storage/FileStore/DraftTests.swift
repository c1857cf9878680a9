import FileStore
import FileStoreTesting
import Testing
import Values

@Suite("Transactions worked out away from the store's owner")
struct DraftTests {
  @Test("It is committed like any transaction: in memory, on disk, in the changes feed and for undo")
  func committed() throws {
    let twins = try TwinStores()
    let (plain, drafted) = (twins.plain, twins.other)
    let transactions = [
      transaction(0, [put(0), put(1), put(2)]), transaction(1, [put(1, day: 100), .delete(meals, id: id(2))]),
      transaction(2, [.delete(meals, id: id(0)), put(0), put(0, day: 7), put(9)]),
    ]
    for transaction in transactions {
      let revision = try plain.commit(transaction)
      #expect(try drafted.beginWriting())
      let prepared = try drafted.draft().prepare(transaction)
      let told = try plain.changes(since: revision - 1).records
      #expect(prepared.changes?.records == told)
      #expect(try drafted.commit(prepared) == revision)
      drafted.endWriting()
    }
    try twins.close()
  }

  @Test("It is outdated after any other change, whoever made it, and is then not committed")
  func outOfDate() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    let other = try FileStore.open(configuration(disk))
    _ = try store.commit(transaction(0, [put(0)]))
    let prepared = try store.draft().prepare(transaction(1, [put(1), put(2)]))
    _ = try store.commit(transaction(2, [put(3)]))
    #expect(try store.commit(prepared) == nil)
    let again = try store.draft().prepare(transaction(1, [put(1), put(2)]))
    _ = try other.commit(transaction(3, [put(4)]))
    #expect(try store.commit(again) == nil, "another process's writes are read first")
    let third = try store.draft().prepare(transaction(1, [put(1), put(2), .delete(meals, id: id(0))]))
    try store.checkpoint()
    #expect(try store.commit(third) == 4, "folding journals into segments does not outdate it")
    #expect(Set(try store.snapshot.records(in: meals).map(\.id)) == Set([1, 2, 3, 4].map { id($0) }))
    #expect(try store.commit(third) == 4, "the same one again is stored once")
    #expect(try store.revision == 4)
    store.close()
    other.close()
  }

  @Test("A draft's state never changes, and a failed commit leaves the store unchanged")
  func failure() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    _ = try store.commit(transaction(0, [put(0)]))
    store.waitUntilDurable()
    let draft = try store.draft()
    let prepared = try draft.prepare(transaction(1, [put(1), .delete(meals, id: id(0))]))
    let inMemory = try store.snapshot.count(in: meals)
    #expect(draft.snapshot.count(in: meals) == 1 && inMemory == 1)
    disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.append], isForEver: true)] }
    #expect(try store.commit(prepared) == 2)
    store.waitUntilDurable()
    #expect(store.hasFailed)
    store.rollBack()
    #expect(try store.snapshot.records(in: meals).map(\.id) == [id(0)])
    store.close()
    disk.setFaults { $0.rules = [] }
    let again = try FileStore.open(configuration(disk))
    #expect(try again.snapshot.records(in: meals).map(\.id) == [id(0)])
    again.close()
  }
}
