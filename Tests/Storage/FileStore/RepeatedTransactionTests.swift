import FileStoreTesting
import Testing

@testable import FileStore

/// A transaction that may be retried is known by its id, with its answer.
struct RepeatedTransactionTests {
  private func settings(_ disk: SimulatedDisk) -> FileStore.Configuration {
    var settings = configuration(disk)
    settings.isInline = true
    return settings
  }

  private func answered(_ store: FileStore, _ number: Int, _ result: String?) throws {
    _ = try store.commit(transaction(number, [put(number)]), awaitsResult: true)
    try store.finish(result: result.map { Array($0.utf8) })
    store.waitUntilDurable()
  }

  private func told(_ number: Int, _ store: FileStore) throws -> String? {
    try store.known(transactionID(number))?.result.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("It is not written before its answer is known, and then with that")
  func order() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    #expect(try store.commit(transaction(0, [put(0)]), awaitsResult: true) == 1)
    store.waitUntilDurable()
    #expect(try store.durableRevision == 0 && store.snapshot.contents.count == 1)
    let other = try FileStore.open(settings(disk))
    #expect(try !other.beginWriting(), "nobody else writes meanwhile")
    try store.finish(result: Array(#"{"revision":1}"#.utf8))
    store.waitUntilDurable()
    #expect(store.durableRevision == 1)
    #expect(try other.beginWriting() && other.revision == 1)
    other.endWriting()
    #expect(try told(0, store) == #"{"revision":1}"# && told(0, other) == #"{"revision":1}"#)
  }

  @Test("Another transaction, or closing, writes it first")
  func unfinished() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    _ = try store.commit(transaction(0, [put(0)]), awaitsResult: true)
    #expect(store.commitAndWait(transaction(1, [put(1)])))
    _ = try store.commit(transaction(2, [put(2)]), awaitsResult: true)
    store.close()
    let new = try FileStore.open(settings(disk))
    #expect(try new.known(0..<4) == [0, 1, 2] && new.snapshot.contents.count == 3)
    #expect(try told(0, new) == nil)
  }

  @Test("The answer outlives restarts and checkpoints as long as the journals do")
  func restarts() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    try answered(store, 0, #"{"meal":{"name":"Süß 🍰"},"revision":1}"#)
    #expect(store.commitAndWait(transaction(1, [put(1)])))
    try store.checkpoint()
    #expect(store.commitAndWait(transaction(2, [put(2)])))
    for _ in 0..<2 {
      let new = try FileStore.open(settings(disk))
      let known = try #require(try new.known(transactionID(0)))
      #expect(known.revision == 1 && known.label == "meals/add")
      #expect(try told(0, new) == #"{"meal":{"name":"Süß 🍰"},"revision":1}"#)
      #expect(try new.known(transactionID(1)) == KnownTransaction(revision: 2, label: "", result: nil))
      #expect(try new.known(transactionID(9)) == nil)
    }
  }

  @Test("An answer that cannot be stored is left out", arguments: ["[1]", "{\n}", "{\"a\":", "", "{}x"])
  func unfit(_ result: String) throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    try answered(store, 0, result)
    #expect(try told(0, store) == nil && store.durableRevision == 1)
    #expect(try FileStore.open(settings(disk)).known(0..<1) == [0])
  }

  @Test("A transaction that could not be stored is forgotten with its answer")
  func failed() throws {
    let disk = SimulatedDisk()
    let store = try FileStore.open(settings(disk))
    #expect(store.commitAndWait(transaction(0, [put(0)])))
    disk.setFaults { $0.rules = [DiskFault(.fails(.inputOutput), calls: [.append], isForEver: true)] }
    _ = try store.commit(transaction(1, [put(1)]), awaitsResult: true)
    try? store.finish(result: Array("{}".utf8))
    store.waitUntilDurable()
    #expect(store.hasFailed)
    store.rollBack()
    #expect(try store.known(transactionID(1)) == nil && store.snapshot.contents.count == 1)
  }
}
