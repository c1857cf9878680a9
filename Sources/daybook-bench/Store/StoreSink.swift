/// Puts records into a store folder, in large transactions. To give way to the store's own bulk import.
struct StoreSink: RecordSink {
  private let store: StoreUnderTest
  private var waiting: [GeneratedRecord] = []
  private var transactions = 0

  /// Records in a transaction.
  private static let batch = 5000
  /// Transactions that are in memory at most before they are on disk.
  private static let unwritten = 8

  init(folder: String) throws(BenchError) {
    store = try StoreUnderTest(folder)
    waiting.reserveCapacity(StoreSink.batch)
  }

  mutating func take(_ record: GeneratedRecord) throws(BenchError) {
    waiting.append(record)
    if waiting.count == StoreSink.batch { try commit() }
  }

  mutating func finish() throws(BenchError) {
    if !waiting.isEmpty { try commit() }
    try store.waitUntilDurable()
    store.close()
  }

  private mutating func commit() throws(BenchError) {
    try store.commit(waiting)
    waiting.removeAll(keepingCapacity: true)
    transactions += 1
    if transactions % StoreSink.unwritten == 0 { try store.waitUntilDurable() }
  }
}
