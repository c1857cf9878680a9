import DaybookProtocol

/// The sums of a day's meals. A sum that overflows stays unchanged.
package struct DayTotals: Sendable, Equatable {
  /// kcal.
  package private(set) var calories = 0
  package private(set) var mealCount = 0
  /// Grams, over the meals that state them; normalized.
  package var protein: Decimal { proteinSum.normalized }
  package var carbs: Decimal { carbsSum.normalized }
  package var fat: Decimal { fatSum.normalized }
  /// Nil when no meal states any.
  package var nutrients: OtherNutrients? { others.first }
  private var proteinSum = Decimal.zero
  private var carbsSum = Decimal.zero
  private var fatSum = Decimal.zero
  /// At most one element: an array takes less memory, as few days have other nutrients.
  private var others: [OtherNutrients] = []

  package init() {}

  package init(mealCount: Int, calories: Int, protein: Decimal, carbs: Decimal, fat: Decimal) {
    (self.mealCount, self.calories) = (mealCount, calories)
    (proteinSum, carbsSum, fatSum) = (protein, carbs, fat)
  }

  /// Adds a meal's amounts.
  package mutating func add(
    calories more: Int, protein: Decimal?, carbs: Decimal?, fat: Decimal?, nutrients: OtherNutrients? = nil
  ) {
    mealCount += 1
    calories.addUnlessOverflowing(more)
    addGrams(protein: protein, carbs: carbs, fat: fat)
    add(nutrients)
  }

  /// Adds another day's sums.
  package mutating func add(_ other: DayTotals) {
    mealCount += other.mealCount
    calories.addUnlessOverflowing(other.calories)
    addGrams(protein: other.proteinSum, carbs: other.carbsSum, fat: other.fatSum)
    add(other.nutrients)
  }

  package mutating func add(_ more: OtherNutrients?) {
    guard let more = more?.known, let sum = OtherNutrients.sum(nutrients, more.mapped { $0 }) else { return }
    others = [sum]
  }

  private mutating func addGrams(protein: Decimal?, carbs: Decimal?, fat: Decimal?) {
    if let protein { proteinSum = proteinSum.adding(protein) ?? proteinSum }
    if let carbs { carbsSum = carbsSum.adding(carbs) ?? carbsSum }
    if let fat { fatSum = fatSum.adding(fat) ?? fatSum }
  }
}

/// The sums of a day's exercises. A sum that overflows stays unchanged.
package struct ExerciseTotals: Sendable, Equatable {
  /// kcal.
  package private(set) var calories = 0
  package private(set) var count = 0

  package init() {}

  package init(count: Int, calories: Int) { (self.count, self.calories) = (count, calories) }

  /// Adds one exercise.
  package mutating func add(calories more: Int) { add(ExerciseTotals(count: 1, calories: more)) }

  package mutating func add(_ other: ExerciseTotals) {
    count += other.count
    calories.addUnlessOverflowing(other.calories)
  }
}

extension Int {
  fileprivate mutating func addUnlessOverflowing(_ other: Int) {
    let (sum, overflow) = addingReportingOverflow(other)
    if !overflow { self = sum }
  }
}
