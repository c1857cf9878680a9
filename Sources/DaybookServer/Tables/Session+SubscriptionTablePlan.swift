import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import SubscriptionTables
import Subscriptions
import Tables
import Values

/// What importing a table of subscriptions comes to, given what is stored.
struct SubscriptionTablePlan: Sendable {
  var plan = TablePlan()
  /// Of rows that are there, where in the book.
  var places: [Int: Int] = [:]
}

extension Session {
  /// Compares a table with what is stored; `book` and `snapshot` are of one revision.
  ///
  /// - Throws: `cancelled`.
  nonisolated func plan(
    _ table: ImportedSubscriptions, _ book: SubscriptionBook, _ snapshot: Snapshot, today: CivilDay,
    _ monitor: WorkMonitor
  ) throws(StoreError) -> SubscriptionTablePlan {
    let list = table.read.list
    let ids = list.map { row in row.id ?? (row.key.isEmpty ? nil : DerivedID.row(ofKey: row.key)) }
    // Which row a subscription is, by its own identity or by what was noted when it was found to be the same.
    var rows: [EntityID: Int] = [:]
    for (index, id) in ids.enumerated() { if let id { rows[id] = index } }
    let collection = DaybookProtocol.Subscription.collection
    for (target, row) in links(in: collection, to: rows, snapshot) where rows[target] == nil { rows[target] = row }
    var result = SubscriptionTablePlan()
    var others = SubscriptionMatches(today: today)
    for (place, plan) in book.plans.enumerated() {
      try monitor.check()
      guard let row = rows[plan.id] else {
        others.add(plan, at: place)
        continue
      }
      // Of two, the one that the row itself has made.
      if result.places[row] == nil || plan.id == ids[row] { result.places[row] = place }
    }
    for (index, row) in list.enumerated() {
      try monitor.check()
      guard let id = ids[index], case .subscription(let content) = row.content else {
        result.plan.add(row.content == .ignored ? .ignored : .refused)
        continue
      }
      var link: EntityID?
      if row.id == nil, result.places[index] == nil, snapshot.record(id, in: collection) == nil,
        let place = others.take(content)
      {
        result.places[index] = place
        link = id
      }
      guard let place = result.places[index] else {
        // What a later version wrote in a form that is not known here is left alone.
        let isThere = snapshot.record(id, in: collection) != nil
        result.plan.add(isThere ? .different(id, ["form"], link: nil) : .new(id))
        continue
      }
      let plan = book.plans[place]
      let names = content.differences(from: plan, today: today)
      result.plan.add(names.isEmpty ? .present(plan.id, link: link) : .different(plan.id, names, link: link))
    }
    return result
  }

  /// The records that an import puts, as an export would have them.
  ///
  /// - Throws: `importInvalid` when what is there cannot become what a row says; with `skips` it stays as it is.
  ///   `requestCancelled`.
  nonisolated func lines(
    _ table: ImportedSubscriptions, _ plan: SubscriptionTablePlan, _ book: SubscriptionBook, _ snapshot: Snapshot,
    replaces: Bool, skips: Bool, today: CivilDay, _ now: Instant, _ monitor: WorkMonitor
  ) throws(RPCError) -> [UInt8] {
    var text = ExportText(created: now)
    for (index, row) in table.read.list.enumerated() {
      if monitor.isCancelled() { throw RPCError(TableRefusal.cancelled) }
      guard case .subscription(let content) = row.content else { continue }
      switch plan.plan.outcomes[index] {
      case .new(let id):
        var new = DaybookProtocol.Subscription(content.made(id: id), now)
        new.tidy()
        append(new, id, nil, now, now, new.json, &text)
      case .present(let target, let link?):
        append(link, to: target, in: DaybookProtocol.Subscription.collection, now, &text)
      case .different(let target, _, let link):
        if let link { append(link, to: target, in: DaybookProtocol.Subscription.collection, now, &text) }
        guard replaces, let place = plan.places[index],
          let record = snapshot.record(target, in: DaybookProtocol.Subscription.collection)
        else { continue }
        let there = book.plans[place]
        let applied = content.applied(to: there, today: today)
        if let problem = SubscriptionProblem.all(in: applied).first ?? .payment(leftOutOf: applied, since: there) {
          if skips { continue }
          throw RPCError(
            .importInvalid, "row \(row.number): what is there cannot become what it says: \(problem.message)",
            pointer: problem.ofWire.pointer, allowed: problem.allowed,
            hint: "“onDifferent”: “keep” leaves what is there as it is")
        }
        var new = book.stored[place]
        new.take(applied, since: there)
        new.updatedAt = max(now, new.updatedAt.advanced(by: 1))
        let body = try options.migrations.body(new, keeping: record)
        append(new, target, nil, record.createdAt, new.updatedAt, body, &text)
      case .present, .ignored, .refused: break
      }
    }
    return text.take()
  }
}
