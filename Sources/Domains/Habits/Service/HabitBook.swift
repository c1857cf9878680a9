import DomainKit
import Habits
import Platform

/// All habits and their logs at one revision.
struct HabitBook {
  struct Entry {
    var habit: Habit
    var plan: HabitPlan
    /// The logged values, without those of a day measure.
    var logged: HabitHistory
    /// Changes with every change of the habit or its logs.
    var version = 0
  }

  private(set) var revision: Int
  /// In habit order.
  private(set) var entries: [Entry]
  private var slots: [EntityID: Int] = [:]
  /// The logs of unknown habits: another device may deliver them first, or a deletion may be undone.
  private var others: [EntityID: HabitHistory] = [:]
  private var versions = 0

  /// Whether reading all logs would take more than a few milliseconds. Months with a digest are fast.
  static func isSlowToRead(_ snapshot: Snapshot, _ digests: MonthDigests) -> Bool {
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

  /// Reads everything stored; on any thread.
  init(
    _ snapshot: Snapshot, _ digests: MonthDigests, _ migrations: RecordMigrations, _ warn: (String) -> Void
  ) throws(RPCError) {
    revision = snapshot.revision
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

  /// Updates to a later revision from the records changed since.
  mutating func follow(to snapshot: Snapshot, _ changes: [ChangedRecord], _ context: Context) throws(RPCError) {
    revision = snapshot.revision
    var days: Set<CivilDay> = []
    var moved = false
    for change in changes {
      guard change.collection == Habit.collection else {
        days.formUnion([change.day, change.previousDay, change.lastDay].compactMap { $0 })
        continue
      }
      moved = true
      let record = snapshot.record(change.id, in: Habit.collection)
      replace(change.id, by: record.flatMap { context.readable(Habit.self, $0) })
    }
    if moved { arrange() }
    for day in days { try reread(day, snapshot, context) }
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
  private mutating func reread(_ day: CivilDay, _ snapshot: Snapshot, _ context: Context) throws(RPCError) {
    var builder = HistoryBuilder()
    do throws(RPCError) {
      try builder.add(
        { snapshot.forEachRecord(in: HabitLog.collection, days: day...day, $0) }, context.folder.migrations)
    } catch { context.folder.warn("skipped a log: \(error.message)") }
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

/// A book being built outside the session.
final class HabitBookBuild: Sendable {
  private let snapshot: Snapshot
  private let epoch: Int
  private let migrations: RecordMigrations
  private let warn: @Sendable (String) -> Void
  /// Held while building; never by the session.
  private let turn = Guarded(())
  private let made = Guarded<HabitBook?>(nil)

  init(
    _ snapshot: Snapshot, _ epoch: Int, _ migrations: RecordMigrations, _ warn: @escaping @Sendable (String) -> Void
  ) {
    (self.snapshot, self.epoch, self.migrations, self.warn) = (snapshot, epoch, migrations, warn)
  }

  func isOf(_ other: Snapshot, in epoch: Int) -> Bool { snapshot.revision == other.revision && self.epoch == epoch }

  /// Builds the book, or waits for another thread doing so. An unreadable store gives none.
  func make() {
    turn.withLock { _ in
      guard made.withLock({ $0 == nil }) else { return }
      let digests = snapshot.digests(HistoryBuilder.digest(migrations))
      guard let book = try? HabitBook(snapshot, digests, migrations, warn) else { return }
      made.withLock { $0 = book }
    }
  }

  /// The finished book; nil when the caches were invalidated since.
  func take(in epoch: Int) -> HabitBook? { epoch == self.epoch ? made.withLock { $0 } : nil }
}
