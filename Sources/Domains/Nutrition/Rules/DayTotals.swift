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

  /// The sums over meals that were counted before.
  package init(mealCount: Int, calories: Int, protein: Decimal, carbs: Decimal, fat: Decimal) {
    (self.mealCount, self.calories) = (mealCount, calories)
    (self.protein, self.carbs, self.fat) = (protein, carbs, fat)
  }

  /// Counts a meal in.
  package mutating func add(_ meal: Meal) {
    add(calories: meal.calories, protein: meal.protein, carbs: meal.carbs, fat: meal.fat)
  }

  /// Counts a meal in of which only the amounts are known. Sums that no longer fit stay at what they were.
  package mutating func add(calories more: Int, protein: Decimal?, carbs: Decimal?, fat: Decimal?) {
    mealCount += 1
    calories = calories.addingReportingOverflow(more).overflow ? calories : calories + more
    addGrams(protein: protein, carbs: carbs, fat: fat)
  }

  /// Adds the sums of another day. Those that no longer fit stay at what they were.
  package mutating func add(_ other: DayTotals) {
    mealCount += other.mealCount
    calories = calories.addingReportingOverflow(other.calories).overflow ? calories : calories + other.calories
    addGrams(protein: other.protein, carbs: other.carbs, fat: other.fat)
  }

  private mutating func addGrams(protein: Decimal?, carbs: Decimal?, fat: Decimal?) {
    if let protein { self.protein = self.protein.adding(protein) ?? self.protein }
    if let carbs { self.carbs = self.carbs.adding(carbs) ?? self.carbs }
    if let fat { self.fat = self.fat.adding(fat) ?? self.fat }
  }
}
