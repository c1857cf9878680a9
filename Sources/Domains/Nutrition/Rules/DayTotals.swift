import DaybookProtocol
import Values

/// The sums over a day's meals.
package struct DayTotals: Sendable, Equatable {
  /// kcal.
  package private(set) var calories = 0
  package private(set) var mealCount = 0
  /// Grams, over the meals that say so; in their one form, without zeros at the end.
  package var protein: Decimal { proteinSum.normalized }
  package var carbs: Decimal { carbsSum.normalized }
  package var fat: Decimal { fatSum.normalized }
  /// The same of everything else; nil when no meal says anything of it.
  package var nutrients: OtherNutrients? { others.first }
  private var proteinSum = Decimal.zero
  private var carbsSum = Decimal.zero
  private var fatSum = Decimal.zero
  /// One or none: few meals have any, and years of days are kept.
  private var others: [OtherNutrients] = []

  package init() {}

  /// The sums over meals that were counted before.
  package init(
    mealCount: Int, calories: Int, protein: Decimal, carbs: Decimal, fat: Decimal, nutrients: OtherNutrients? = nil
  ) {
    (self.mealCount, self.calories) = (mealCount, calories)
    (proteinSum, carbsSum, fatSum) = (protein, carbs, fat)
    add(nutrients)
  }

  /// Counts a meal in.
  package mutating func add(_ meal: Meal) {
    add(
      calories: meal.calories, protein: meal.protein, carbs: meal.carbs, fat: meal.fat, nutrients: meal.nutrients)
  }

  /// Counts a meal in of which only the amounts are known. Sums that no longer fit stay at what they were.
  package mutating func add(
    calories more: Int, protein: Decimal?, carbs: Decimal?, fat: Decimal?, nutrients: OtherNutrients? = nil
  ) {
    mealCount += 1
    calories = calories.addingReportingOverflow(more).overflow ? calories : calories + more
    addGrams(protein: protein, carbs: carbs, fat: fat)
    add(nutrients)
  }

  /// Adds the sums of another day. Those that no longer fit stay at what they were.
  package mutating func add(_ other: DayTotals) {
    mealCount += other.mealCount
    calories = calories.addingReportingOverflow(other.calories).overflow ? calories : calories + other.calories
    addGrams(protein: other.proteinSum, carbs: other.carbsSum, fat: other.fatSum)
    add(other.nutrients)
  }

  private mutating func add(_ more: OtherNutrients?) {
    guard let more = more?.known, let sum = OtherNutrients.sum(nutrients, more.mapped { $0 }) else { return }
    others = [sum]
  }

  private mutating func addGrams(protein: Decimal?, carbs: Decimal?, fat: Decimal?) {
    if let protein { proteinSum = proteinSum.adding(protein) ?? proteinSum }
    if let carbs { carbsSum = carbsSum.adding(carbs) ?? carbsSum }
    if let fat { fatSum = fatSum.adding(fat) ?? fatSum }
  }
}
