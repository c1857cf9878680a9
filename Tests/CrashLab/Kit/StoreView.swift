import FileStore

/// What an open store shows, compared with a model.
struct StoreView: Equatable {
  /// The revision of each of the model's transactions that the store has.
  var revisions: [Int?]
  var revision: Int

  init(_ store: any LabStore, _ model: LabModel) {
    revisions = model.transactions.map { store.revision(of: $0.number) }
    revision = store.revision
  }

  /// I1–I3: answered transactions are there once under the revision they were answered with, others whole or not at all,
  /// in one order.
  func checkTransactions(_ model: LabModel, allowsGaps: Bool) throws(Violation) {
    var seen = Set<Int>()
    for (number, status) in model.statuses.enumerated() {
      switch (status, revisions[number]) {
      case (.acknowledged(let revision), nil):
        throw Violation("I1", "transaction \(number), answered as revision \(revision), is gone")
      case (.acknowledged(let revision), let found?) where found != revision:
        throw Violation("I3", "transaction \(number), answered as revision \(revision), is now revision \(found)")
      case (.absent, let found?):
        throw Violation("I2", "transaction \(number), which was not stored, is there as revision \(found)")
      default: break
      }
      guard let found = revisions[number] else { continue }
      guard seen.insert(found).inserted else { throw Violation("I1", "two transactions are revision \(found)") }
      guard found <= revision else { throw Violation("I3", "revision \(found) lies behind the last, \(revision)") }
    }
    if !allowsGaps, revision != seen.count {
      throw Violation("I3", "\(seen.count) transactions make revision \(revision)")
    }
  }
}

extension LabModel {
  /// I1, I2: the records are exactly what the transactions that the store has make of them.
  func checkRecords(_ store: any LabStore, _ view: StoreView) throws(Violation) {
    let expected = records(view.revisions)
    var count = 0
    var violation: Violation?
    store.forEachRecord { key, day, body in
      count += 1
      guard violation == nil else { return }
      guard let (number, index) = expected[key] else {
        violation = Violation("I2", "record \(key.collection)/\(key.record) should not be there")
        return
      }
      let transaction = transactions[number]
      if transaction.changes[index].day != day || !transaction.bodies[index].elementsEqual(body) {
        violation = Violation(
          "I2",
          "record \(key.collection)/\(key.record) is not as transaction \(number) left it: "
            + String(decoding: body.prefix(80), as: UTF8.self))
      }
    }
    if let violation { throw violation }
    if count != expected.count { throw Violation("I1", "there are \(count) records instead of \(expected.count)") }
  }
}
