/// What must be in a store, what may be, and what must not.
package struct LabModel: Sendable {
  /// The status of a transaction.
  package enum Status: Sendable, Equatable {
    /// It is stored completely or not at all.
    case possible
    /// It was answered with that revision.
    case acknowledged(Int)
    case absent
  }

  package private(set) var transactions: [LabTransaction] = []
  package private(set) var statuses: [Status] = []
  /// All changes of a status, so that an earlier moment can be reconstructed.
  private var log: [(number: Int, status: Status)] = []

  package init() {}

  /// The present state, to be passed to `at`.
  package var mark: Int { log.count }

  /// Begins a new transaction, possible from now on.
  package mutating func begin(_ changes: [LabChange]) -> LabTransaction {
    begin(LabTransaction(number: transactions.count, changes: changes))
  }

  /// Begins a transaction that undoes another, given the resulting records, nil for none.
  package mutating func begin(undoing revision: Int, _ records: [LabKey: LabContents?]) -> LabTransaction {
    let records = records.sorted { $0.key < $1.key }
    return begin(
      LabTransaction(
        number: transactions.count, undoes: revision,
        changes: records.map { LabChange(key: $0.key, day: $0.value?.day, padding: $0.value == nil ? nil : 0) },
        bodies: records.map { $0.value?.body ?? [] }))
  }

  private mutating func begin(_ transaction: LabTransaction) -> LabTransaction {
    transactions.append(transaction)
    statuses.append(.absent)
    set(transaction.number, .possible)
    return transaction
  }

  package mutating func set(_ number: Int, _ status: Status) {
    statuses[number] = status
    log.append((number, status))
  }

  /// The last transaction with an unknown outcome.
  package var lastPossible: LabTransaction? { statuses.lastIndex(of: .possible).map { transactions[$0] } }

  /// The last transaction that was answered.
  package var lastAcknowledged: LabTransaction? {
    statuses.lastIndex { if case .acknowledged = $0 { true } else { false } }.map { transactions[$0] }
  }

  /// The model at a mark.
  package func at(_ mark: Int) -> LabModel {
    var model = self
    model.log = Array(log[..<mark])
    model.statuses = [Status](repeating: .absent, count: transactions.count)
    for (number, status) in model.log { model.statuses[number] = status }
    return model
  }

  /// The model at a time with fewer transactions.
  mutating func forget(after count: Int) {
    transactions.removeLast(transactions.count - count)
    statuses.removeLast(statuses.count - count)
  }

  /// After a complete recovery: the transactions seen are permanent, and no others exist.
  package mutating func settle(_ revisions: [Int?]) {
    for number in transactions.indices {
      if let revision = revisions[number] {
        if statuses[number] != .acknowledged(revision) { set(number, .acknowledged(revision)) }
      } else if statuses[number] != .absent {
        set(number, .absent)
      }
    }
  }
}
