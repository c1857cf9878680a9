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
  var dayMemory = Projected<DayMemory>()
  package var foodIndex = Projected<FoodMemory>()
  private var remembered = RevisionCache<RememberedMeals>()

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
  /// The meal reminders of a day, and what they were made of.
  struct RememberedMeals {
    let days: DayContext
    let times: [WallTime]
    let reminders: MealReminders
    let candidates: RememberedCandidates
  }

  package static var reminderTitle: (source: ReminderSource, title: String)? { (.meals, "Meals") }

  package static let quickActions = [
    QuickAction(id: "logMeal", title: "Log a meal", method: "meals/add"),
    QuickAction(id: "today", title: "Today", method: "days/get"),
  ]

  /// The meal reminders; none when they are off.
  package func reminders(_ context: Context) throws(RPCError) -> [RememberedCandidates] {
    let times = try context.folder.settingsInForce().value.mealReminders
    guard !times.isEmpty else { return [] }
    let known = remembered.latest(context.folder).flatMap {
      $0.days === context.days && $0.times == times ? $0 : nil
    }
    if known == nil { remembered = RevisionCache() }
    let present = try remembered.current(context, [Meal.collection]) { () throws(RPCError) in
      let made = try mealReminders(times, context)
      // Most meals are not the first near their time.
      if let known, known.reminders.isSame(as: made) { return known }
      return RememberedMeals(
        days: context.days, times: times, reminders: made, candidates: RememberedCandidates(made))
    }
    return [present.candidates]
  }

  /// Meals move the meal reminders, if they are on.
  package func consequences(of change: DataChange, in folder: DataFolder) -> Consequences {
    guard change.touches(Meal.collection), let settings = try? folder.settingsInForce() else { return Consequences() }
    return Consequences(affectsReminders: !settings.value.mealReminders.isEmpty)
  }

  package func gives(_ reminder: ReminderID, _ context: Context) throws(RPCError) -> Bool {
    guard reminder.source == .meals, reminder.item == MealReminders.item, reminder.leadDays == 0 else { return false }
    return try context.settings().mealReminders.contains { $0.minutesOfDay == reminder.minute }
  }

  private func mealReminders(_ times: [WallTime], _ context: Context) throws(RPCError) -> MealReminders {
    let (days, today) = (context.days, context.today)
    var meals: [CivilDay: [Int]] = [:]
    // Meals of other days affect no pending reminder.
    let pending = today.advanced(by: -1)...today.advanced(by: 1)
    for record in try context.snapshot().records(in: Meal.collection, days: pending) {
      guard let meal = try? context.folder.migrations.decode(Meal.self, record) else { continue }
      let isLive = days.dayStart.day(at: meal.createdAt, in: days.zone) == meal.day
      let logged = isLive ? days.zone.wallClock(at: meal.createdAt).secondOfDay / 60 : nil
      guard let minute = meal.time?.minutesOfDay ?? logged else { continue }
      meals[meal.day, default: []].append(minute)
    }
    return MealReminders(times: times, meals: meals, zone: days.zone, dayStart: days.dayStart)
  }
}
