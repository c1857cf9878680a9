import DaybookProtocol
import Values

/// The sums over a day's meals.
package struct DayTotals: Sendable, Equatable {
  /// kcal.
  package private(set) var calories = 0
  package private(set) var mealCount = 0
  /// Grams, over the meals that say so.
  package private(set) var protein = Decimal.zero
  package private(set) var carbs = Decimal.zero
  package private(set) var fat = Decimal.zero

  package init() {}

  /// Counts a meal in. Sums that no longer fit stay at what they were.
  package mutating func add(_ meal: Meal) {
    mealCount += 1
    calories = calories.addingReportingOverflow(meal.calories).overflow ? calories : calories + meal.calories
    if let grams = meal.protein { protein = protein.adding(grams) ?? protein }
    if let grams = meal.carbs { carbs = carbs.adding(grams) ?? carbs }
    if let grams = meal.fat { fat = fat.adding(grams) ?? fat }
  }
}
