import FileStore

/// The transactions of a store, or of a snapshot of it.
struct StoreView: Equatable {
  /// The revision of each of the model's transactions present.
  var revisions: [Int?]
  var revision: Int

  /// Reads the witness records of the transactions.
  init(_ content: any LabContent, _ model: LabModel) throws(Violation) {
    var revisions = [Int?](repeating: nil, count: model.transactions.count)
    var violation: Violation?
    content.forEachRecord(in: LabKey.witnesses) { number, _, revision, _ in
      guard revisions.indices.contains(number) else {
        violation = Violation("I2", "transaction \(number), which nobody made, has left a record")
        return
      }
      if let other = revisions[number] {
        violation = Violation("I1", "transaction \(number) has a record of revision \(other) and one of \(revision)")
      }
      revisions[number] = revision
    }
    self.revisions = revisions
    revision = content.revision
    if let violation { throw violation }
  }

  /// I1: the ids that the store knows match its content.
  func checkIDs(_ store: any LabStore) throws(Violation) {
    for number in revisions.indices {
      guard let known = store.revision(of: number), known != revisions[number] else { continue }
      throw Violation(
        "I1", "transaction \(number) is known as revision \(known), but its record says \(text(revisions[number]))")
    }
  }

  private func text(_ revision: Int?) -> String { revision.map { "revision \($0)" } ?? "nothing" }

  /// I1–I3: answered transactions are there once with their revision, others completely or not at all, in one order.
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
      guard found <= revision else { throw Violation("I3", "revision \(found) is above the last, \(revision)") }
    }
    if !allowsGaps, revision != seen.count {
      throw Violation("I3", "\(seen.count) transactions make revision \(revision)")
    }
  }
}

extension LabModel {
  /// I1, I2: the records are exactly the result of the store's transactions.
  func checkRecords(_ content: any LabContent, _ view: StoreView) throws(Violation) {
    try checkRecords(content, records(view.revisions))
  }

  /// The same for given records, except those that may differ.
  func checkRecords(
    _ content: any LabContent, _ expected: Records, unless uncertain: Set<LabKey> = []
  ) throws(Violation) {
    var left = expected.count - uncertain.count { expected[$0] != nil }
    for collection in 0..<LabKey.collections {
      var violation: Violation?
      content.forEachRecord(in: collection) { record, day, _, body in
        let key = LabKey(collection: collection, record: record)
        guard violation == nil, !uncertain.contains(key) else { return }
        left -= 1
        guard let (number, index) = expected[key] else {
          violation = Violation("I2", "record \(collection)/\(record) should not be there")
          return
        }
        let transaction = transactions[number]
        if transaction.changes[index].day != day || !transaction.bodies[index].elementsEqual(body) {
          violation = Violation(
            "I2",
            "record \(collection)/\(record) is not as transaction \(number) left it: "
              + String(decoding: body.prefix(80), as: UTF8.self))
        }
      }
      if let violation { throw violation }
    }
    if left != 0 { throw Violation("I1", "there are \(expected.count - left) records instead of \(expected.count)") }
  }
}
