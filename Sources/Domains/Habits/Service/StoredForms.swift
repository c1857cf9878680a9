import DomainKit
import Habits

// Validation of stored entities from any source.

extension Habit: CheckedEntity {
  package var problem: Refusal? { HabitRules.refusal(of: self)?.inside("/body") }
}

extension HabitLog: CheckedEntity {
  package var problem: Refusal? { HabitLogRules.refusal(of: self)?.inside("/body") }
}

extension HabitCategory: CheckedEntity {
  package var problem: Refusal? {
    name.isVisible ? nil : Refusal("/body/name", .missing, "the name is blank", allowed: "a name")
  }
}

extension HabitMilestone: CheckedEntity {
  /// A milestone with another id would be announced twice.
  package var problem: Refusal? {
    id == DerivedID.milestone(habitId, length, from)
      ? nil : Refusal("/body/id", "the id of a milestone is derived from its streak")
  }
}

extension HabitVisit: CheckedEntity {}

extension PersonalityChoice: CheckedEntity {}

extension DashboardView: CheckedEntity {
  /// Another id would allow two dashboards for one frontend.
  package var problem: Refusal? {
    id == DerivedID.dashboard(frontend)
      ? nil : Refusal("/body/id", "the id of a dashboard is derived from its frontend's name")
  }
}

extension DerivedID {
  static func dashboard(_ frontend: String) -> EntityID { id("dashboard\u{1F}", Array(frontend.utf8)) }

  /// The id of the log that a habit has of a day's value, skip or note. `number` is 0 unless the user has made
  /// something else of the logs with lower numbers.
  static func habitLog(_ habit: EntityID, _ day: CivilDay, _ kind: DayEdit.OwnLog, _ number: Int) -> EntityID {
    id("habit log\u{1F}", Array("\(habit) \(day) \(kind.rawValue)\(number == 0 ? "" : " \(number)")".utf8))
  }

  /// The id of the habit made from a suggestion.
  static func suggestedHabit(_ suggestion: String) -> EntityID { id("suggested habit\u{1F}", Array(suggestion.utf8)) }

  static func milestone(_ habit: EntityID, _ length: Int, _ from: CivilDay) -> EntityID {
    id("habit milestone\u{1F}", Array("\(habit) \(from) \(length)".utf8))
  }
}
