import DaybookProtocol
import Habits

/// Finds the existing habits that a table refers to.
package struct HabitFinder: Sendable {
  private let habits: [EntityID: Habit]
  private let named: [String: EntityID]
  /// The active habits by `HabitRules.nameKey`, which must be unique.
  let holders: [String: EntityID]
  private let links: [EntityID: EntityID]
  private let identity: @Sendable (String) -> EntityID
  private let isUntouched: @Sendable (Habit) -> Bool
  /// The logs of some habits.
  let logs: @Sendable (Set<EntityID>) -> [HabitLog]
  /// The order number after all existing habits.
  let nextOrder: Int

  /// - Parameters:
  ///   - links: The targets of rows imported before, by their derived ids.
  ///   - isUntouched: Whether a habit is as it was made and has no log.
  ///   - logs: The stored logs of some habits.
  ///   - identity: Derives the id of a row from its key.
  package init(
    _ stored: [Habit], links: [EntityID: EntityID], isUntouched: @escaping @Sendable (Habit) -> Bool,
    logs: @escaping @Sendable (Set<EntityID>) -> [HabitLog], identity: @escaping @Sendable (String) -> EntityID
  ) {
    var (named, holders): ([String: EntityID], [String: EntityID]) = ([:], [:])
    let ordered = stored.sorted {
      ($0.archivedDay == nil ? 0 : 1, $0.order, $0.id) < ($1.archivedDay == nil ? 0 : 1, $1.order, $1.id)
    }
    for habit in ordered {
      let name = HabitNames.fold(habit.name)
      if named[name] == nil { named[name] = habit.id }
      if habit.archivedDay == nil { holders[HabitRules.nameKey(habit)] = habit.id }
    }
    habits = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
    (self.named, self.holders, self.links, self.identity) = (named, holders, links, identity)
    (self.isUntouched, self.logs) = (isUntouched, logs)
    nextOrder = (stored.map(\.order).max() ?? -1) + 1
  }

  var names: [String] { habits.values.map(\.name) }

  func habit(_ id: EntityID) -> Habit? { habits[id] }

  /// The id derived from a name, and the habit that an earlier import created or matched for it.
  func imported(_ name: String) -> (identity: EntityID, habit: Habit?) {
    let id = identity((HabitNames.table + HabitNames.key(name) + ["0"]).joined(separator: "\u{1F}"))
    return (id, habits[id] ?? links[id].flatMap { habits[$0] })
  }

  /// Whether an import made a habit, and nothing has said yet when it started.
  func isOpen(_ habit: Habit) -> Bool { imported(habit.name).identity == habit.id && isUntouched(habit) }

  /// The first habit with a name.
  func called(_ name: String) -> Habit? { named[HabitNames.fold(name)].flatMap { habits[$0] } }
}

/// The habit that logs of a table refer to: an existing or a new one.
package final class HabitSubject: Sendable, Equatable {
  package let habit: Habit
  package let isNew: Bool
  /// Whether its start is not known yet, so that it starts with its first log.
  let isOpen: Bool
  /// The derived id to link to an existing habit that was matched by name.
  let link: EntityID?
  /// A day on which the habit had already begun, with or without a log.
  let known: CivilDay?
  /// For Habitica: whether each logged day is a completion.
  let countsEach: Bool

  init(
    _ habit: Habit, isNew: Bool, isOpen: Bool, link: EntityID? = nil, known: CivilDay? = nil, countsEach: Bool = false
  ) {
    self.habit = habit
    (self.isNew, self.isOpen) = (isNew, isOpen)
    self.link = link
    self.known = known
    self.countsEach = countsEach
  }

  package static func == (left: HabitSubject, right: HabitSubject) -> Bool {
    left.habit == right.habit && left.isNew == right.isNew && left.isOpen == right.isOpen && left.link == right.link
      && left.known == right.known
  }
}
