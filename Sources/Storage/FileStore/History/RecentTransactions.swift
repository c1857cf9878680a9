import Values

/// A stored transaction, as reported to a caller that sends its id again.
package struct KnownTransaction: Sendable, Equatable {
  package let revision: Int
  /// Its purpose, such as the method's name.
  package let label: String
  /// The answer to its caller, as JSON text; nil when it was not kept.
  package let result: [UInt8]?
}

/// The ids of recent transactions, so that a repeated one is stored once.
struct RecentTransactions: Sendable {
  private var revisions: [EntityID: Int] = [:]
  /// The answers of transactions whose callers may retry.
  private var answered: [EntityID: KnownTransaction] = [:]
  /// Oldest first.
  private var order: [(id: EntityID, revision: Int)] = []
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  subscript(id: EntityID) -> Int? { revisions[id] }

  func known(_ id: EntityID) -> KnownTransaction? {
    answered[id] ?? revisions[id].map { KnownTransaction(revision: $0, label: "", result: nil) }
  }

  mutating func append(_ transaction: Transaction, revision: Int) {
    revisions[transaction.id] = revision
    order.append((transaction.id, revision))
    note(transaction, revision: revision)
    guard order.count > capacity * 2 else { return }
    for old in order.prefix(capacity) { forget(old.id) }
    order.removeFirst(capacity)
  }

  /// Keeps the result of a transaction that was appended before, if it has one.
  mutating func note(_ transaction: Transaction, revision: Int) {
    guard let result = transaction.result else { return }
    answered[transaction.id] = KnownTransaction(revision: revision, label: transaction.label, result: result)
  }

  mutating func rollBack(to revision: Int) {
    while let last = order.last, last.revision > revision {
      forget(last.id)
      order.removeLast()
    }
  }

  private mutating func forget(_ id: EntityID) {
    revisions[id] = nil
    if !answered.isEmpty { answered[id] = nil }
  }
}
