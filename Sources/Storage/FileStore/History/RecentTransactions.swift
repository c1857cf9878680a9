import Values

/// A transaction that was stored, as a caller that sends its id again is told of it.
package struct KnownTransaction: Sendable, Equatable {
  /// The revision that it made.
  package let revision: Int
  /// What it was for, such as the method's name.
  package let label: String
  /// What its caller was told, as JSON text; nil when that was not kept.
  package let result: [UInt8]?
}

/// The ids of the latest transactions, so that one given twice is stored once.
struct RecentTransactions: Sendable {
  private var revisions: [EntityID: Int] = [:]
  /// Of those whose callers may come again, what they were told.
  private var answered: [EntityID: KnownTransaction] = [:]
  /// Oldest first.
  private var order: [(id: EntityID, revision: Int)] = []
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The revision that the transaction made, if it is known.
  subscript(id: EntityID) -> Int? { revisions[id] }

  /// The same, with what its caller was told.
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

  /// Keeps the result of a transaction that is known already, if it has one.
  mutating func note(_ transaction: Transaction, revision: Int) {
    guard let result = transaction.result else { return }
    answered[transaction.id] = KnownTransaction(revision: revision, label: transaction.label, result: result)
  }

  /// Forgets everything after a revision.
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
