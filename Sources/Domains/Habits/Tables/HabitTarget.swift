import DaybookProtocol
import Habits
import Tables

extension Habit: TableEntity {}
extension HabitLog: TableEntity {}

/// Matches and applies rows of habits.
package struct HabitTarget: TableTarget {
  /// The pseudo-member for an archived flag without a day.
  static let archived = "archived"

  private let finder: HabitFinder
  private let keepsOrder: Bool

  package init(_ table: HabitTable, _ finder: HabitFinder) {
    self.finder = finder
    keepsOrder = table.mapping.columns["order"] != nil
  }

  package var takesOnlySame: Bool { false }

  package func likeness(of draft: HabitDraft) -> String? {
    if case .habit(let habit, _) = draft { likeness(of: habit) } else { nil }
  }

  package func likeness(of habit: Habit) -> String {
    "\(HabitNames.fold(habit.name))\u{1F}\(habit.unit?.lowercased() ?? "")"
  }

  /// Prefers active habits, then the lowest order number.
  package func order(_ alike: inout [Habit]) {
    alike.sort {
      ($0.archivedDay == nil ? 1 : 0, $1.order, $1.id) < ($1.archivedDay == nil ? 1 : 0, $0.order, $0.id)
    }
  }

  package func understands(_ habit: Habit) -> Bool { HabitRules.refusal(of: habit) == nil }

  package func differences(of habit: Habit, from draft: HabitDraft) -> [String] {
    guard case .habit(let row, let covered) = draft else { return [] }
    return HabitTarget.differences(of: habit, from: row, covered)
  }

  /// The covered members in which a habit differs from a row.
  static func differences(of habit: Habit, from row: Habit, _ covered: Set<String>) -> [String] {
    let names = HabitColumns.all.differences(habit, row, covered)
    return isArchivedOtherwise(habit, row, covered) ? names + ["archivedDay"] : names
  }

  private static func isArchivedOtherwise(_ habit: Habit, _ row: Habit, _ covered: Set<String>) -> Bool {
    covered.contains(HabitTarget.archived) && (habit.archivedDay == nil) != (row.archivedDay == nil)
  }

  package func applied(_ draft: HabitDraft, to habit: Habit) throws(Refusal) -> Habit? {
    guard case .habit(let row, let covered) = draft else { return nil }
    var applied = HabitColumns.all.applied(row, to: habit, covered)
    if HabitTarget.isArchivedOtherwise(habit, row, covered) { applied.archivedDay = row.archivedDay }
    if let refusal = HabitRules.refusal(of: applied) { throw refusal }
    if isTaken(applied), HabitRules.nameKey(applied) != HabitRules.nameKey(habit) {
      throw Refusal("/name", .repeated, "another habit has the same name, category and unit", allowed: "another name")
    }
    return applied
  }

  /// Whether another habit has the same name, category and unit.
  private func isTaken(_ habit: Habit) -> Bool {
    habit.archivedDay == nil && finder.holders[HabitRules.nameKey(habit)].map { $0 != habit.id } ?? false
  }

  package func made(of draft: HabitDraft, id: EntityID, at instant: Instant) -> Habit? {
    guard case .habit(var habit, _) = draft else { return nil }
    (habit.id, habit.createdAt, habit.updatedAt) = (id, instant, instant)
    // A habit of another import may have taken the name meanwhile.
    let (name, limit) = (habit.name, finder.names.count + 2)
    for number in 2...limit where isTaken(habit) { habit.name = "\(name) (\(number))" }
    return habit
  }

  /// Habits without an order number are appended.
  package func placed(_ habit: Habit, behind count: Int) -> Habit {
    guard !keepsOrder else { return habit }
    var placed = habit
    placed.order = min(finder.nextOrder + count, 1_000_000)
    return placed
  }
}

/// Matches and applies rows of logs.
package struct HabitLogTarget: TableTarget {
  /// Identifies a day's value or skip, or its note, for matching.
  package struct Likeness: Hashable, Sendable {
    let habit: EntityID
    let day: CivilDay
    let isNote: Bool
  }

  /// Whether only identical logs match. False for programs with one value per day, whose rows match any log of that day.
  package let takesOnlySame: Bool

  package init(_ table: HabitTable) {
    takesOnlySame = table.known.format == .daybook || table.known.format == .other
  }

  package func likeness(of draft: HabitDraft) -> Likeness? {
    if case .log(let log, _, _) = draft { likeness(of: log) } else { nil }
  }

  package func likeness(of log: HabitLog) -> Likeness {
    Likeness(habit: log.habitId, day: log.day, isNote: log.value == nil && log.skipped != true)
  }

  package func day(of log: HabitLog) -> CivilDay? { log.day }

  package func day(of draft: HabitDraft) -> CivilDay? {
    if case .log(let log, _, _) = draft { log.day } else { nil }
  }

  package func understands(_ log: HabitLog) -> Bool { HabitLogRules.refusal(of: log) == nil }

  package func differences(of log: HabitLog, from draft: HabitDraft) -> [String] {
    guard case .log(let row, _, let covered) = draft else { return [] }
    return HabitLogColumns.all.differences(log, row, covered)
  }

  package func isSame(_ log: HabitLog, as draft: HabitDraft) -> Bool {
    differences(of: log, from: draft).allSatisfy { $0 == "at" && log.at == nil }
  }

  package func applied(_ draft: HabitDraft, to log: HabitLog) throws(Refusal) -> HabitLog? {
    guard case .log(let row, _, let covered) = draft else { return nil }
    let applied = HabitLogColumns.all.applied(row, to: log, covered)
    if let refusal = HabitLogRules.refusal(of: applied) { throw refusal }
    return applied
  }

  package func made(of draft: HabitDraft, id: EntityID, at instant: Instant) -> HabitLog? {
    guard case .log(var log, _, _) = draft else { return nil }
    (log.id, log.createdAt, log.updatedAt) = (id, instant, instant)
    return log
  }
}

extension HabitTable {
  /// The habits of new logs, in their order, and the first day of each.
  private func subjects(_ outcomes: TableOutcomes) -> (all: [HabitSubject], firstDays: [EntityID: CivilDay]) {
    var subjects: [HabitSubject] = []
    var firstDays: [EntityID: CivilDay] = [:]
    var seen: Set<EntityID> = []
    for (row, outcome) in zip(entries, outcomes.list) {
      guard case .draft(.log(let log, let subject, _)) = row.content else { continue }
      let id = subject.habit.id
      if seen.insert(id).inserted { subjects.append(subject) }
      if case .new = outcome {} else if !subject.isNew { continue }
      firstDays[id] = min(firstDays[id] ?? log.day, log.day, subject.isOpen ? subject.known ?? log.day : log.day)
    }
    return (subjects.sorted { $0.habit.order < $1.habit.order }, firstDays)
  }

  /// The existing habits with new logs before their start, which stays: such logs count for nothing.
  package func uncountedHabits(_ outcomes: TableOutcomes) -> [Habit] {
    let (subjects, firstDays) = subjects(outcomes)
    return subjects.filter { subject in
      !subject.isOpen && (firstDays[subject.habit.id].map { $0 < subject.habit.startDay } ?? false)
    }.map(\.habit)
  }

  /// The changes to habits that an import of logs implies: new habits are added, and those without a start of their own
  /// start with the first log.
  package func habitChanges(_ outcomes: TableOutcomes, at now: Instant) -> [TableChange<Habit>] {
    let (subjects, firstDays) = subjects(outcomes)
    return subjects.flatMap { subject in
      var changes: [TableChange<Habit>] = subject.link.map { [.link($0, target: subject.habit.id)] } ?? []
      var habit = subject.habit
      guard let first = firstDays[habit.id], subject.isOpen, subject.isNew || first < habit.startDay else {
        return changes
      }
      habit.startDay = first
      if subject.isNew { (habit.createdAt, habit.updatedAt) = (now, now) }
      changes.append(subject.isNew ? .add(habit) : .put(habit))
      return changes
    }
  }
}
