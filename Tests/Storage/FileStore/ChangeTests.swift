import CivilTime
import FileStore
import FileStoreTesting
import Testing
import Values

struct ChangeTests {
  private func day(_ number: Int) -> CivilDay { CivilDay(daysSinceEpoch: Int32(number)) }

  @Test("Each changed record is listed once, in its present state, in order of revisions")
  func latest() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    _ = try store.commit(transaction(0, [put(0, day: 100), put(1, day: 100), put(2, day: 100)]))
    _ = try store.commit(transaction(1, [put(0, day: 101)]))
    _ = try store.commit(transaction(2, [.delete(meals, id: id(1)), put(3, day: 100)]))
    _ = try store.commit(transaction(3, [put(0, day: 102)]))
    let page = try store.changes(since: 1)
    #expect(page.revision == 4)
    #expect(page.isComplete)
    #expect(page.records.map(\.id) == [id(1), id(3), id(0)])
    #expect(page.records.map(\.revision) == [3, 3, 4])
    #expect(page.records.map(\.isDeleted) == [true, false, false])
    #expect(page.records.map(\.isNew) == [false, true, false])
    #expect(page.records.map(\.day) == [nil, day(100), day(102)])
    #expect(page.records.map(\.previousDay) == [day(100), nil, day(100)])
    #expect(try store.changes(since: 4).records.isEmpty)
    store.close()
  }

  @Test("Paging lists everything, in whole transactions")
  func pages() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    for number in 0..<20 { _ = try store.commit(transaction(number, [put(number), put(number + 100)])) }
    var revision = 0
    var seen: [UInt64] = []
    while try revision < store.revision {
      let page = try store.changes(since: revision, limit: 5)
      #expect(page.records.count == 4)
      #expect(page.revision == revision + 2)
      seen += page.records.map(\.id.low)
      revision = page.revision
    }
    #expect(seen.sorted() == (Array(0..<20) + Array(100..<120)).map { UInt64($0) })
    store.close()
  }

  @Test("Hidden collections do not count, and paging advances past their revisions")
  func leftOut() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    let hidden = CollectionName("hidden")
    _ = try store.commit(transaction(0, [put(0)]))
    _ = try store.commit(transaction(1, [put(1), put(1, in: hidden)]))
    _ = try store.commit(transaction(2, [put(2, in: hidden)]))
    func page(_ revision: Int, _ limit: Int) throws -> ChangePage {
      try store.changes(since: revision, limit: limit, leavingOut: [hidden])
    }
    let all = try page(0, .max)
    #expect(all.records.map(\.id) == [id(0), id(1)] && all.revision == 3 && all.isComplete)
    let first = try page(0, 1)
    #expect(first.records.map(\.id) == [id(0)] && first.revision == 1 && !first.isComplete)
    let second = try page(1, 1)
    #expect(second.records.map(\.id) == [id(1)] && second.revision == 3 && second.isComplete)
    let nothing = try page(2, 1)
    #expect(nothing.records.isEmpty && nothing.revision == 3 && nothing.isComplete)
    store.close()
  }

  @Test("The changes of some collections are listed without those of others, or not at all when there are too many")
  func ofCollections() throws {
    let store = try FileStore.open(configuration(SimulatedDisk()))
    let other = CollectionName("other")
    _ = try store.commit(transaction(0, [put(0), put(1)]))
    _ = try store.commit(transaction(1, (2..<500).map { put($0) } + [put(1, in: other)]))
    _ = try store.commit(transaction(2, [put(0, day: 100), .delete(other, id: id(1))]))
    let few = try #require(try store.changes(since: 0, of: [other], atMost: 2))
    let others = try store.changes(since: 0, leavingOut: [meals]).records
    #expect(few == others)
    #expect(few.map(\.isDeleted) == [true] && few.map(\.isNew) == [true])
    #expect(try store.changes(since: 0, of: [other], atMost: 1) == nil, "there were two")
    #expect(try store.changes(since: 1, of: [meals], atMost: 499)?.count == 499)
    #expect(try store.changes(since: 1, of: [meals], atMost: 498) == nil)
    #expect(try store.changes(since: 3, of: [meals, other], atMost: 0) == [])
    #expect(try store.changes(since: 4, of: [meals], atMost: 9) == nil, "no such revision")
    let (all, page) = (try store.changes(since: 0, of: [meals, other], atMost: .max), try store.changes(since: 0))
    #expect(all == page.records)
    store.close()
  }

  @Test("A revision that is too old, or never existed, is refused")
  func tooOld() throws {
    let disk = SimulatedDisk()
    var settings = configuration(disk)
    settings.retainedChanges = 5
    let store = try FileStore.open(settings)
    for number in 0..<20 { _ = try store.commit(transaction(number, [put(number)])) }
    for revision in [-1, 0, 21, .max, .min] {
      let error = #expect(throws: StoreError.self) { try store.changes(since: revision) }
      #expect(error?.code == .revisionTooOld)
    }
    #expect(try store.changes(since: 16).records.count == 4)
    store.close()
  }

  @Test("A transaction given twice is stored once")
  func twice() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(configuration(disk))
    #expect(try store.commit(transaction(0, [put(0)])) == 1)
    #expect(try store.commit(transaction(0, [put(0)])) == 1)
    #expect(try store.revision == 1)
    store.close()
    let again = try FileStore.open(configuration(disk))
    #expect(try again.commit(transaction(0, [put(0)])) == 1)
    again.close()
  }

  @Test("What could not be read back is refused before anything changes")
  func refused() throws {
    var settings = configuration(SimulatedDisk())
    settings.lineSizeLimit = 1000
    let store = try FileStore.open(settings)
    let bodies = ["", "[]", "{", "{}{}", "{\"a\":1,\"a\":2}", "{\n}", "{\"a\":01}", "null", "{\"a\":\"\u{1}\"}"]
    for body in bodies {
      let error = #expect(throws: StoreError.self) { try store.commit(transaction(0, [put(0, body)])) }
      #expect(error?.code == .invalidTransaction, "\(body)")
    }
    for day in [-800_000, 3_000_000] {
      let error = #expect(throws: StoreError.self) { try store.commit(transaction(0, [put(0, day: day)])) }
      #expect(error?.code == .invalidTransaction)
    }
    let long = "{\"a\":\"" + String(repeating: "x", count: 1000) + "\"}"
    let error = #expect(throws: StoreError.self) { try store.commit(transaction(0, [put(0, long)])) }
    #expect(error?.code == .recordTooLarge)
    #expect(try store.revision == 0)
    #expect(try store.snapshot.count(in: meals) == 0)
    store.close()
  }
}
