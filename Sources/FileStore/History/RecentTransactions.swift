import Values

/// The ids of the latest transactions, so that one given twice is stored once.
struct RecentTransactions: Sendable {
  private var revisions: [EntityID: Int] = [:]
  /// Oldest first.
  private var order: [(id: EntityID, revision: Int)] = []
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The revision that the transaction made, if it is known.
  subscript(id: EntityID) -> Int? { revisions[id] }

  /// Takes in a new transaction.
  mutating func append(_ id: EntityID, revision: Int) {
    revisions[id] = revision
    order.append((id, revision))
    guard order.count > capacity * 2 else { return }
    for old in order.prefix(capacity) { revisions[old.id] = nil }
    order.removeFirst(capacity)
  }

  /// Forgets everything after a revision.
  mutating func rollBack(to revision: Int) {
    while let last = order.last, last.revision > revision {
      revisions[last.id] = nil
      order.removeLast()
    }
  }
}
