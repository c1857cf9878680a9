/// What has to be in a store, what may be in it, and what must not.
package struct LabModel: Sendable {
  /// What is known of a transaction.
  package enum Status: Sendable, Equatable {
    /// It is there whole, or not at all.
    case possible
    /// It was answered with that revision.
    case acknowledged(Int)
    case absent
  }

  package private(set) var transactions: [LabTransaction] = []
  package private(set) var statuses: [Status] = []
  /// Every change of a status, so that one can go back to how much was answered at a moment.
  private var log: [(number: Int, status: Status)] = []

  package init() {}

  /// How much is known; to be given to `at`.
  package var mark: Int { log.count }

  /// A new transaction, possible from now on.
  package mutating func begin(_ changes: [LabChange]) -> LabTransaction {
    let transaction = LabTransaction(number: transactions.count, changes: changes)
    transactions.append(transaction)
    statuses.append(.absent)
    set(transaction.number, .possible)
    return transaction
  }

  package mutating func set(_ number: Int, _ status: Status) {
    statuses[number] = status
    log.append((number, status))
  }

  /// The last transaction of which nobody knows.
  package var lastPossible: LabTransaction? { statuses.lastIndex(of: .possible).map { transactions[$0] } }

  /// What was known at a mark.
  package func at(_ mark: Int) -> LabModel {
    var model = self
    model.log = Array(log[..<mark])
    model.statuses = [Status](repeating: .absent, count: transactions.count)
    for (number, status) in model.log { model.statuses[number] = status }
    return model
  }

  /// After a complete recovery: what was seen is there for good, and nothing else is.
  package mutating func settle(_ revisions: [Int?]) {
    for number in transactions.indices {
      if let revision = revisions[number] {
        if statuses[number] != .acknowledged(revision) { set(number, .acknowledged(revision)) }
      } else if statuses[number] != .absent {
        set(number, .absent)
      }
    }
  }

  /// What the known transactions make of the records, in order of their revisions: of each record the transaction and the
  /// change that put it.
  package func records(_ revisions: [Int?]) -> [LabKey: (transaction: Int, change: Int)] {
    let known = transactions.indices.compactMap { number in revisions[number].map { (revision: $0, number: number) } }
    var records: [LabKey: (transaction: Int, change: Int)] = [:]
    for (_, number) in known.sorted(by: { $0.revision < $1.revision }) {
      for (index, change) in transactions[number].changes.enumerated() {
        records[change.key] = change.padding == nil ? nil : (number, index)
      }
    }
    return records
  }
}
