import CivilTime
import DaybookProtocol
import Habits
import Values

/// Finds the habits that a table speaks of by name among those there are.
package struct HabitFinder: Sendable {
  /// Those there are, in their order.
  private let habits: [EntityID: Habit]
  private let named: [String: EntityID]
  /// Who has a name that no other habit may have, by `HabitRules.nameKey`.
  let holders: [String: EntityID]
  private let links: [EntityID: EntityID]
  private let identity: @Sendable (String) -> EntityID
  /// The place behind all there are.
  let nextOrder: Int

  /// - Parameters:
  ///   - links: What rows were found to be when they were imported before, by the identities that they would have.
  ///   - identity: The identity of a row that states none, by its key.
  package init(
    _ stored: [Habit], links: [EntityID: EntityID], identity: @escaping @Sendable (String) -> EntityID
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
    nextOrder = (stored.map(\.order).max() ?? -1) + 1
  }

  /// The names of all there are.
  var names: [String] { habits.values.map(\.name) }

  /// The habit with an identity.
  func habit(_ id: EntityID) -> Habit? { habits[id] }

  /// The identity that a habit of this name has or would have, and the habit that an import made for the name, or took for it, if it
  /// is there.
  func imported(_ name: String) -> (identity: EntityID, habit: Habit?) {
    let id = identity((HabitNames.table + HabitNames.key(name) + ["0"]).joined(separator: "\u{1F}"))
    return (id, habits[id] ?? links[id].flatMap { habits[$0] })
  }

  /// The first habit that is called so.
  func called(_ name: String) -> Habit? { named[HabitNames.fold(name)].flatMap { habits[$0] } }
}

/// A habit that logs of a table are of: one that is there, or one to be made.
package final class HabitSubject: Sendable, Equatable {
  /// The habit as it is, or as it is to be.
  package let habit: Habit
  /// Whether it is to be made.
  package let isNew: Bool
  /// The identity that a habit of that name would have, where another is taken for it and that is not noted yet.
  let link: EntityID?
  /// A day on which it had begun, with or without a log.
  let known: CivilDay?
  /// Of a table that tells what a habit is worth, whether it was done on each day that is told.
  let countsEach: Bool

  init(
    _ habit: Habit, isNew: Bool, link: EntityID? = nil, known: CivilDay? = nil, countsEach: Bool = false
  ) {
    self.habit = habit
    self.isNew = isNew
    self.link = link
    self.known = known
    self.countsEach = countsEach
  }

  package static func == (left: HabitSubject, right: HabitSubject) -> Bool {
    left.habit == right.habit && left.isNew == right.isNew && left.link == right.link && left.known == right.known
  }
}
