import CivilTime
import DaybookProtocol
import DomainKit
import Habits
import Values

// What the rules say of stored entities, wherever they come from.

extension Habit: CheckedEntity {
  package var problem: Refusal? { HabitRules.refusal(of: self)?.inside("/body") }
}

extension HabitLog: CheckedEntity {
  package var problem: Refusal? { HabitLogRules.refusal(of: self)?.inside("/body") }
}

extension HabitCategory: CheckedEntity {
  /// A name that cannot be seen.
  package var problem: Refusal? {
    name.isVisible ? nil : Refusal("/body/name", .missing, "the name cannot be seen", allowed: "a name")
  }
}

extension HabitMilestone: CheckedEntity {
  /// One whose id does not follow from what it says: it would be announced twice.
  package var problem: Refusal? {
    id == DerivedID.milestone(habitId, length, from)
      ? nil : Refusal("/body/id", "the milestone of a streak has an id that follows from it")
  }
}

extension HabitVisit: CheckedEntity {}

extension PersonalityChoice: CheckedEntity {}

extension DashboardView: CheckedEntity {
  /// One whose id does not follow from its frontend: there would be two of one.
  package var problem: Refusal? {
    id == DerivedID.dashboard(frontend)
      ? nil : Refusal("/body/id", "the dashboard of a frontend has an id that follows from its name")
  }
}

extension DerivedID {
  /// The dashboard of a frontend.
  static func dashboard(_ frontend: String) -> EntityID { id("dashboard\u{1F}", Array(frontend.utf8)) }

  /// A milestone of a streak.
  static func milestone(_ habit: EntityID, _ length: Int, _ from: CivilDay) -> EntityID {
    id("habit milestone\u{1F}", Array("\(habit) \(from) \(length)".utf8))
  }
}
