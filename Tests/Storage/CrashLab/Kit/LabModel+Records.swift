extension LabModel {
  /// For each record, the transaction and the change that put it.
  package typealias Records = [LabKey: (transaction: Int, change: Int)]

  /// The records that result from the known transactions, in order of revisions.
  ///
  /// - Parameter last: The last revision to apply.
  package func records(_ revisions: [Int?], upTo last: Int = .max) -> Records {
    var records: Records = [:]
    for (_, number) in ordered(revisions, in: 0...last) { apply(number, to: &records) }
    return records
  }

  /// The transactions with revisions in a range, in order.
  private func ordered(_ revisions: [Int?], in range: ClosedRange<Int>) -> [(revision: Int, number: Int)] {
    var known: [(revision: Int, number: Int)] = []
    known.reserveCapacity(transactions.count)
    var isSorted = true
    for number in transactions.indices {
      guard let revision = revisions[number], range.contains(revision) else { continue }
      isSorted = isSorted && revision > known.last?.revision ?? 0
      known.append((revision, number))
    }
    return isSorted ? known : known.sorted { $0.revision < $1.revision }
  }

  private func apply(_ number: Int, to records: inout Records) {
    for (index, change) in transactions[number].changes.enumerated() {
      records[change.key] = change.padding == nil ? nil : (number, index)
    }
  }

  /// The content of a record.
  func contents(_ place: (transaction: Int, change: Int)?) -> LabContents? {
    guard let (transaction, change) = place else { return nil }
    return LabContents(
      day: transactions[transaction].changes[change].day, body: transactions[transaction].bodies[change])
  }

  // MARK: questions about the past

  /// How the transaction with that revision can be undone.
  func undo(of target: Int, _ revisions: [Int?]) -> LabUndo {
    guard let number = revisions.firstIndex(of: target) else { return .nothing }
    if isUndone(target, revisions) { return .alreadyUndone }
    let (before, after, now) = (
      records(revisions, upTo: target - 1), records(revisions, upTo: target), records(revisions)
    )
    var plan: [LabKey: LabContents?] = [:]
    for key in Set(transactions[number].changes.map(\.key)) {
      let (old, new) = (contents(before[key]), contents(after[key]))
      // Deleting a missing record changes nothing.
      if old == nil, new == nil, !isPut(key, transactions[number]) { continue }
      if contents(now[key]) != new { return .conflict }
      if old != nil || new != nil { plan[key] = .some(old) }
    }
    return .ready(plan)
  }

  private func isPut(_ key: LabKey, _ transaction: LabTransaction) -> Bool {
    transaction.changes.contains { $0.key == key && $0.padding != nil }
  }

  private func isUndone(_ target: Int, _ revisions: [Int?]) -> Bool {
    var undone: Set<Int> = []
    var undoes: [Int: Int] = [:]
    for (revision, number) in ordered(revisions, in: 0 ... .max) {
      undoes[revision] = transactions[number].undoes
      var next = undoes[revision]
      while let turned = next {
        undone.formSymmetricDifference([turned])
        next = undoes[turned]
      }
    }
    return undone.contains(target)
  }

  /// The changes after a revision.
  func changes(since revision: Int, _ revisions: [Int?]) -> [LabKey: LabChanged] {
    var records = records(revisions, upTo: revision)
    let start = records
    var changes: [LabKey: LabChanged] = [:]
    guard revision < .max else { return changes }
    for (revision, number) in ordered(revisions, in: (revision + 1) ... .max) {
      let transaction = transactions[number]
      for (index, change) in transaction.changes.enumerated() {
        let before = records[change.key]
        let isGone = change.padding == nil
        if isGone, before == nil { continue }
        let first = changes[change.key]
        let old = contents(start[change.key])
        changes[change.key] = LabChanged(
          revision: revision, day: isGone ? nil : change.day,
          previousDay: old != nil && old?.day != (isGone ? nil : change.day) ? old?.day : nil,
          lastDay: isGone ? contents(before)?.day : nil, isNew: first?.isNew ?? (before == nil), isDeleted: isGone)
        records[change.key] = isGone ? nil : (number, index)
      }
      let witness = LabKey(collection: LabKey.witnesses, record: number)
      changes[witness] = LabChanged(
        revision: revision, day: nil, previousDay: nil, lastDay: nil, isNew: true, isDeleted: false)
    }
    return changes
  }
}
