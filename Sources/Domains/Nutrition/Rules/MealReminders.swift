import DaybookProtocol
import Reminders

/// Daily reminders to log meals at the user's times, unless that meal is logged.
package struct MealReminders: ReminderCandidates {
  /// The times, ascending, minutes of the day.
  private let minutes: [Int]
  /// When each day's meals were eaten, else logged, minutes of the day.
  private let meals: [CivilDay: [Int]]
  private let zone: TimeZoneRules

  package init(times: [WallTime], meals: [CivilDay: [Int]], zone: TimeZoneRules) {
    minutes = times.map(\.minutesOfDay)
    self.meals = meals
    self.zone = zone
  }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A snoozed reminder may be yesterday's.
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

  /// The reminder time nearest to a meal's minute; of two, the earlier.
  private func nearest(to minute: Int) -> Int? { minutes.min { abs($0 - minute) < abs($1 - minute) } }
}
