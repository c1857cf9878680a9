import DaybookProtocol
import Reminders

/// Daily reminders to log meals at the user's times, unless that meal is logged.
package struct MealReminders: ReminderCandidates {
  /// The item in the ids of meal reminders.
  package static let item = "log"

  /// The times, minutes of the day.
  private let minutes: [Int]
  /// The times of each day for which a meal is logged.
  private let logged: [CivilDay: Set<Int>]
  private let zone: TimeZoneRules

  /// - Parameter meals: When each day's meals were eaten, else logged, minutes of the day.
  package init(times: [WallTime], meals: [CivilDay: [Int]], zone: TimeZoneRules, dayStart: DayStart) {
    let minutes = times.map(\.minutesOfDay)
    logged = meals.mapValues { Set($0.compactMap { MealReminders.nearest(to: $0, among: minutes, dayStart) }) }
    (self.minutes, self.zone) = (minutes, zone)
  }

  /// Whether both give the same reminders in the same zone.
  package func isSame(as other: MealReminders) -> Bool { minutes == other.minutes && logged == other.logged }

  package func visit(from start: Instant, through end: CivilDay, _ body: (ReminderCandidate) -> Void) {
    // A snoozed reminder may be yesterday's.
    var day = zone.day(at: start).advanced(by: -1)
    while day <= end {
      for minute in minutes where logged[day]?.contains(minute) != true {
        guard let id = try? ReminderID(source: .meals, item: MealReminders.item, day: day, minute: minute) else {
          continue
        }
        body(
          ReminderCandidate(id: id, actions: [.done, .snooze, .skip, .open]) { _ in
            ReminderText(title: "Log your meals", body: "What did you eat?")
          })
      }
      day = day.advanced(by: 1)
    }
  }

  /// The reminder time nearest to a meal's minute within the user's day; of two, the earlier.
  private static func nearest(to minute: Int, among minutes: [Int], _ dayStart: DayStart) -> Int? {
    func place(_ minute: Int) -> Int { minute < dayStart.minutes ? minute + 1440 : minute }
    return minutes.min {
      (abs(place($0) - place(minute)), place($0)) < (abs(place($1) - place(minute)), place($1))
    }
  }
}
