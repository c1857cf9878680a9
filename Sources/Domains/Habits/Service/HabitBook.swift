import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Habits
import JSONRPC
import Values

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
  private var places: [EntityID: Int] = [:]
  /// The logs of unknown habits: another device may deliver them first, or a deletion may be undone.
  private var others: [EntityID: HabitHistory] = [:]
  private var versions = 0

  /// Whether reading all logs would take more than a few milliseconds. Months with a digest are fast.
  static func takesLong(_ snapshot: Snapshot, _ digests: MonthDigests) -> Bool {
    guard var month = snapshot.span(of: HabitLog.collection)?.lowerBound.month,
      let last = snapshot.span(of: HabitLog.collection)?.upperBound
    else { return false }
    var unread = 0
    while month.lowerBound <= last, unread <= fewMonths {
      if digests[HabitLog.collection, month.lowerBound] == nil { unread += 1 }
      month = month.upperBound.advanced(by: 1).month
    }
    return unread > fewMonths && snapshot.hasMore(than: fewLogs, in: HabitLog.collection)
  }

  /// The months and logs that are read at once.
  private static let (fewMonths, fewLogs) = (3, 5_000)

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
      HabitBook.read(record, migrations, warn).map { habit in
        Entry(
          habit: habit, plan: HabitPlan(habit),
          logged: HabitHistory(builder.places[habit.id].map { builder.days[$0] } ?? []))
      }
    }
    arrange()
    for (id, place) in builder.places where places[id] == nil { others[id] = HabitHistory(builder.days[place]) }
  }

  /// Decodes a habit; nil for one that only a later version can read.
  private static func read(_ record: Record, _ migrations: RecordMigrations, _ warn: (String) -> Void) -> Habit? {
    do throws(RPCError) { return try migrations.decode(Habit.self, record) } catch {
      warn("skipped a habit: \(error.message)")
      return nil
    }
  }

  private mutating func arrange() {
    entries.sort { HabitBook.isBefore($0.habit, $1.habit) }
    places = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($0.element.habit.id, $0.offset) })
  }

  private static func isBefore(_ left: Habit, _ right: Habit) -> Bool {
    if left.order != right.order { return left.order < right.order }
    return left.createdAt != right.createdAt ? left.createdAt < right.createdAt : left.id < right.id
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
      let habit = snapshot.record(change.id, in: Habit.collection).flatMap {
        HabitBook.read($0, context.folder.migrations, context.folder.warn)
      }
      replace(change.id, by: habit)
    }
    if moved { arrange() }
    for day in days { try readAgain(day, snapshot, context) }
  }

  private mutating func replace(_ id: EntityID, by habit: Habit?) {
    versions += 1
    if let habit, let place = places[id] {
      (entries[place].habit, entries[place].plan, entries[place].version) = (habit, HabitPlan(habit), versions)
    } else if let habit {
      let logged = others.removeValue(forKey: id) ?? HabitHistory()
      entries.append(Entry(habit: habit, plan: HabitPlan(habit), logged: logged, version: versions))
      places[id] = entries.count - 1
    } else if let place = places[id] {
      others[id] = entries[place].logged
      entries.remove(at: place)
      arrange()
    }
  }

  /// Reads the logs of a day again.
  private mutating func readAgain(_ day: CivilDay, _ snapshot: Snapshot, _ context: Context) throws(RPCError) {
    var builder = HistoryBuilder()
    do throws(RPCError) {
      try builder.add(
        { snapshot.forEachRecord(in: HabitLog.collection, days: day...day, $0) }, context.folder.migrations)
    } catch { context.folder.warn("skipped a log: \(error.message)") }
    for id in Set(others.keys).union(builder.places.keys) where places[id] == nil {
      others[id, default: HabitHistory()][day] = builder.places[id].flatMap { builder.days[$0].first }
    }
    for place in entries.indices {
      let record = builder.places[entries[place].habit.id].flatMap { builder.days[$0].first }
      guard entries[place].logged[day] != record else { continue }
      versions += 1
      entries[place].logged[day] = record
      entries[place].version = versions
    }
  }

  subscript(id: EntityID) -> Entry? { places[id].map { entries[$0] } }

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
