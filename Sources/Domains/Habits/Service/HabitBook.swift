import DomainKit
import Habits

/// All habits and their logs.
package struct HabitBook: Projection {
  struct Entry {
    var habit: Habit
    var plan: HabitPlan
    /// The logged values, without those of a day measure.
    var logged: HabitHistory
    /// Changes with every change of the habit or its logs.
    var version = 0
  }

  /// In habit order.
  private(set) var entries: [Entry]
  private var slots: [EntityID: Int] = [:]
  /// The logs of unknown habits: another device may deliver them first, or a deletion may be undone.
  private var others: [EntityID: HabitHistory] = [:]
  private var versions = 0

  package static let collections = [Habit.collection, HabitLog.collection]
  package static let followedChanges = 256

  /// Whether reading all logs takes more than a few milliseconds. Months with a digest are fast.
  package static func isSlow(_ source: ProjectionSource) -> Bool {
    let snapshot = source.snapshot
    let digests = snapshot.digests(HistoryBuilder.digest(source.migrations))
    guard var month = snapshot.span(of: HabitLog.collection)?.lowerBound.month,
      let last = snapshot.span(of: HabitLog.collection)?.upperBound
    else { return false }
    var unread = 0
    while month.lowerBound <= last, unread <= maxInlineMonths {
      if digests[HabitLog.collection, month.lowerBound] == nil { unread += 1 }
      month = month.upperBound.advanced(by: 1).month
    }
    return unread > maxInlineMonths && snapshot.hasMore(than: maxInlineLogs, in: HabitLog.collection)
  }

  /// The months and logs that are read at once.
  private static let (maxInlineMonths, maxInlineLogs) = (3, 5_000)

  /// Reads everything stored.
  package init(_ source: ProjectionSource) throws(RPCError) {
    let (snapshot, migrations, warn) = (source.snapshot, source.migrations, source.warn)
    let digests = snapshot.digests(HistoryBuilder.digest(migrations))
    var builder = HistoryBuilder()
    if let span = snapshot.span(of: HabitLog.collection) {
      // Digests cover whole months.
      let days = span.lowerBound.month.lowerBound...span.upperBound.month.upperBound
      try digests.visit(
        HabitLog.collection, days, digest: { _, bytes in builder.add(digest: bytes) },
        rest: { days throws(RPCError) in
          do throws(RPCError) {
            try builder.add({ snapshot.forEachRecord(in: HabitLog.collection, days: days, $0) }, migrations)
          } catch { warn("skipped a log: \(error.message)") }
        })
    }
    entries = snapshot.records(in: Habit.collection).compactMap { record in
      migrations.readable(Habit.self, record, warn: warn).map { habit in
        Entry(
          habit: habit, plan: HabitPlan(habit),
          logged: HabitHistory(builder.slots[habit.id].map { builder.days[$0] } ?? []))
      }
    }
    arrange()
    for (id, slot) in builder.slots where slots[id] == nil { others[id] = HabitHistory(builder.days[slot]) }
  }

  private mutating func arrange() {
    entries.sort {
      ($0.habit.order, $0.habit.createdAt, $0.habit.id) < ($1.habit.order, $1.habit.createdAt, $1.habit.id)
    }
    slots = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.habit.id, $0.offset) })
  }

  package mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) throws(RPCError) {
    var days: Set<CivilDay> = []
    var moved = false
    for change in changes {
      guard change.collection == Habit.collection else {
        days.formUnion([change.day, change.previousDay, change.lastDay].compactMap { $0 })
        continue
      }
      moved = true
      let record = source.snapshot.record(change.id, in: Habit.collection)
      replace(change.id, by: record.flatMap { source.readable($0) })
    }
    if moved { arrange() }
    for day in days { reread(day, source) }
  }

  private mutating func replace(_ id: EntityID, by habit: Habit?) {
    versions += 1
    if let habit, let slot = slots[id] {
      (entries[slot].habit, entries[slot].plan, entries[slot].version) = (habit, HabitPlan(habit), versions)
    } else if let habit {
      let logged = others.removeValue(forKey: id) ?? HabitHistory()
      entries.append(Entry(habit: habit, plan: HabitPlan(habit), logged: logged, version: versions))
      slots[id] = entries.count - 1
    } else if let slot = slots[id] {
      others[id] = entries[slot].logged
      entries.remove(at: slot)
      arrange()
    }
  }

  /// Reads the logs of a day again.
  private mutating func reread(_ day: CivilDay, _ source: ProjectionSource) {
    var builder = HistoryBuilder()
    do throws(RPCError) {
      try builder.add(
        { source.snapshot.forEachRecord(in: HabitLog.collection, days: day...day, $0) }, source.migrations)
    } catch { source.warn("skipped a log: \(error.message)") }
    for id in Set(others.keys).union(builder.slots.keys) where slots[id] == nil {
      others[id, default: HabitHistory()][day] = builder.slots[id].flatMap { builder.days[$0].first }
    }
    for slot in entries.indices {
      let record = builder.slots[entries[slot].habit.id].flatMap { builder.days[$0].first }
      guard entries[slot].logged[day] != record else { continue }
      versions += 1
      entries[slot].logged[day] = record
      entries[slot].version = versions
    }
  }

  subscript(id: EntityID) -> Entry? { slots[id].map { entries[$0] } }

  /// The active habits in order, pinned ones first.
  var active: [Entry] { active(on: nil) }

  /// The habits that are active now or were on a day.
  func active(on day: CivilDay?) -> [Entry] {
    let active = entries.filter { entry in
      entry.habit.archivedDay.map { archived in day.map { $0 < archived } ?? false } ?? true
    }
    return active.filter { $0.habit.pinned == true } + active.filter { $0.habit.pinned != true }
  }
}
