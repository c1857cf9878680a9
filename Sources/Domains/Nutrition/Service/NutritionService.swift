import DomainKit
import Nutrition
import Reminders

/// Handles the requests for meals, days, foods, weights, exercise, water and measurements.
///
/// Its state consists of caches: dropping any of it changes no answer.
package final class NutritionService {
  /// The recent results of `days/get`.
  var summaries = RevisionCache<[CivilDay: CachedSummary]>()
  /// The last one of them.
  var latestSummary = RevisionCache<CachedSummary>()
  var weightTrend = RevisionCache<WeightTrend>()
  var dayMemory = DayMemory()
  var foods = FoodMemory()

  package init() {}

  /// The error of invalid params. Negative calories of food get a hint at `exercises/add`.
  package func refusal(_ error: JSONError, of method: Method, in text: UnsafeRawBufferPointer) -> RPCError {
    let problem = RPCError(params: error, in: text)
    guard method != .exercisesAdd, method != .exercisesUpdate, NutritionService.isNegativeFood(error, in: text) else {
      return problem
    }
    return RPCError(
      .invalidParams, problem.message, pointer: error.pointer(in: text), allowed: error.expected,
      hint: "energy burned is logged with “exercises/add”")
  }

  /// Whether the error is a negative number of calories.
  private static func isNegativeFood(_ error: JSONError, in text: UnsafeRawBufferPointer) -> Bool {
    error.code == .outOfRange && text.indices.contains(error.offset) && text[error.offset] == UInt8(ascii: "-")
      && error.pointer(in: text).hasSuffix("/calories")
  }
}

enum NutritionConstants {
  /// The most days of a series.
  static let longestSeries = 4000
  /// The most cached results of `days/get`.
  static let rememberedDays = 64
  /// The most days or points in a list.
  static let longestList = 5000
  /// After more changes, the cached day facts are dropped.
  static let followedDayChanges = 256
  /// After more changes, the food index is rebuilt.
  static let followedMealChanges = 2048
  /// The default number of foods in a list.
  static let listedFoods = 20
  /// The name of a quickly added meal.
  static let quickAddName = "Quick add"
}

extension NutritionService {
  /// The meal reminders; nil when they are off or the store cannot be read.
  package func reminders(_ context: Context) -> (any ReminderCandidates)? {
    guard let times = try? context.settings().mealReminders, !times.isEmpty, let snapshot = try? context.snapshot()
    else { return nil }
    let (zone, today) = (context.days.zone, context.today)
    var meals: [CivilDay: [Int]] = [:]
    // Meals of other days affect no pending reminder.
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
