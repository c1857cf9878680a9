import DaybookProtocol
import Habits
import Tables

@testable import HabitTables

/// An in-memory import target: habits, logs, and the links of imported rows.
struct Shelf {
  static let today = CivilDay(year: 2026, month: 1, day: 5) ?? CivilDay(daysSinceEpoch: 0)
  static let instant = Instant(milliseconds: 1000)

  var habits: [EntityID: Habit] = [:]
  var logs: [EntityID: HabitLog] = [:]
  var habitLinks: [EntityID: EntityID] = [:]
  var logLinks: [EntityID: EntityID] = [:]
  /// The records written by the last import.
  var written = 0

  /// An id derived from a key.
  static func identity(_ key: String) -> EntityID {
    var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
    for byte in key.utf8 {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
      low = (low &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      low ^= low >> 29
    }
    return EntityID(high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  var options: HabitTableOptions {
    HabitTableOptions(
      today: Shelf.today, zone: .utc,
      finder: HabitFinder(
        Array(habits.values), links: habitLinks,
        isUntouched: { [logged = Set(logs.values.map(\.habitId))] habit in
          habit.createdAt == habit.updatedAt && !logged.contains(habit.id)
        }, logs: { [logs = Array(logs.values)] habits in logs.filter { habits.contains($0.habitId) } },
        identity: { Shelf.identity($0) }))
  }

  func read(_ text: String, _ change: (inout HabitTableOptions) -> Void = { _ in }) throws -> HabitTable {
    var options = options
    change(&options)
    return try HabitTable.read(Array(text.utf8), options)
  }

  /// Imports a table and returns the outcomes of its rows.
  @discardableResult
  mutating func take(
    _ text: String, replaces: Bool = false, _ change: (inout HabitTableOptions) -> Void = { _ in }
  ) throws -> TableOutcomes {
    let table = try read(text, change)
    written = 0
    guard table.known.kind == .logs else {
      let target = HabitTarget(table, options.finder)
      let plan = Shelf.plan(table.rows, target, habits, habitLinks)
      try Shelf.write(plan, replaces, &habits, &habitLinks, &written)
      return plan.outcomes
    }
    let plan = Shelf.plan(table.entries, HabitLogTarget(table), logs, logLinks)
    for change in table.habitChanges(plan.outcomes, at: Shelf.instant) {
      Shelf.write(change, &habits, &habitLinks, &written)
    }
    try Shelf.write(plan, replaces, &logs, &logLinks, &written)
    return plan.outcomes
  }

  private static func plan<Target: TableTarget>(
    _ rows: [ImportedRow<Target.Draft>], _ target: Target, _ stored: [EntityID: Target.Entity],
    _ links: [EntityID: EntityID]
  ) -> TablePlan<Target> {
    var plan = TablePlan(
      rows, target, identity: { identity($0) },
      links: { isWanted in links.compactMap { id, target in isWanted(id) ? (id, target) : nil } })
    for (id, entity) in stored { plan.take(id, day: target.day(of: entity)) { entity } }
    plan.compare {}
    return plan
  }

  private static func write<Target: TableTarget>(
    _ plan: TablePlan<Target>, _ replaces: Bool, _ stored: inout [EntityID: Target.Entity],
    _ links: inout [EntityID: EntityID], _ written: inout Int
  ) throws {
    try plan.visitChanges(replaces: replaces, at: instant) { refusal, _ in
      throw refusal
    } _: {
      write($0, &stored, &links, &written)
    }
  }

  private static func write<Entity>(
    _ change: TableChange<Entity>, _ stored: inout [EntityID: Entity], _ links: inout [EntityID: EntityID],
    _ written: inout Int
  ) {
    written += 1
    switch change {
    case .add(let entity), .put(let entity): stored[entity.id] = entity
    case .link(let id, let target): links[id] = target
    }
  }

  func habit(_ name: String) -> Habit? { habits.values.first { $0.name == name } }

  /// A short form of a habit's logs, oldest first: `2026-01-01 2`, `2026-01-02 skip`.
  func log(_ name: String) -> [String] {
    let id = habit(name)?.id
    return logs.values.filter { $0.habitId == id }.sorted { ($0.day, $0.id) < ($1.day, $1.id) }.map { log in
      let what = log.skipped == true ? "skip" : log.value.map { "\($0)" } ?? "-"
      return "\(log.day) \(what)" + (log.note.map { " [\($0)]" } ?? "")
    }
  }

  /// Daybook's own tables of everything.
  func tables(hasMark: Bool = false) -> (habits: String, logs: String) {
    var habitTable = TableExport.habits(hasMark: hasMark)
    for habit in habits.values.sorted(by: { ($0.order, $0.id) < ($1.order, $1.id) }) { habitTable.append(habit) }
    var logTable = TableExport.habitLogs(habits.mapValues(\.name), hasMark: hasMark)
    for log in logs.values.sorted(by: { ($0.day, $0.id) < ($1.day, $1.id) }) { logTable.append(log) }
    return (String(decoding: habitTable.take(), as: UTF8.self), String(decoding: logTable.take(), as: UTF8.self))
  }
}
