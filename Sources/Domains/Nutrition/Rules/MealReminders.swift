import CivilTime
import DaybookProtocol
import Reminders

/// Reminders of logging meals: at each time the user wants, every day, unless that meal is logged.
package struct MealReminders: ReminderCandidates {
  /// When to remind, ascending, minutes of the day.
  private let minutes: [Int]
  /// When meals of a day were eaten, or else logged on it, minutes of the day; days without any are absent.
  private let meals: [CivilDay: [Int]]
  private let zone: TimeZoneRules

  package init(times: [WallTime], meals: [CivilDay: [Int]], zone: TimeZoneRules) {
    minutes = times.map(\.minutesOfDay)
    self.meals = meals
    self.zone = zone
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A time put off may belong to yesterday.
    var day = zone.day(at: start).advanced(by: -1)
    while day <= end {
      let logged = Set((meals[day] ?? []).compactMap(nearest))
      for minute in minutes where !logged.contains(minute) {
        guard let id = try? ReminderID(source: .meals, item: "log", day: day, minute: minute) else { continue }
        body(
          ReminderCandidate(id: id, lastDay: day.advanced(by: 1), actions: [.done, .snooze, .skip, .open]) { _ in
            ReminderText(title: "Log your meals", body: "What did you eat?")
          })
      }
      day = day.advanced(by: 1)
    }
  }

  /// The time at which a meal of that minute is reminded of: the nearest, of two the earlier.
  private func nearest(to minute: Int) -> Int? { minutes.min { abs($0 - minute) < abs($1 - minute) } }
}
