import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Nutrition
import Reminders

extension NutritionService {
  /// What there is to remind of meals; nil where nobody wants it, or the store cannot be read.
  package func reminders(_ context: Context) -> (any ReminderCandidates)? {
    guard let times = try? context.settings().mealReminders, !times.isEmpty, let snapshot = try? context.snapshot()
    else { return nil }
    let (zone, today) = (context.days.zone, context.today)
    var meals: [CivilDay: [Int]] = [:]
    // Meals of other days decide about no reminder that is still to come.
    let days = today.advanced(by: -1)...today.advanced(by: 1)
    for record in snapshot.records(in: Meal.collection, days: days) {
      guard let meal = try? context.folder.migrations.decode(Meal.self, record) else { continue }
      let clock = zone.wallClock(at: meal.createdAt)
      let logged = clock.day == meal.day ? clock.secondOfDay / 60 : nil
      guard let minute = meal.time?.minutesOfDay ?? logged else { continue }
      meals[meal.day, default: []].append(minute)
    }
    return MealReminders(times: times, meals: meals, zone: zone)
  }
}
