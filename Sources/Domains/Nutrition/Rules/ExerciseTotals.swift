/// The sums over a day's exercises.
package struct ExerciseTotals: Sendable, Equatable {
  /// kcal.
  package private(set) var calories = 0
  package private(set) var count = 0

  package init() {}

  /// The sums over exercises that were counted before.
  package init(count: Int, calories: Int) { (self.count, self.calories) = (count, calories) }

  /// Counts an exercise in. A sum that no longer fits stays at what it was.
  package mutating func add(calories more: Int) { add(more, 1) }

  /// Adds the sums of another day.
  package mutating func add(_ other: ExerciseTotals) { add(other.calories, other.count) }

  private mutating func add(_ more: Int, _ number: Int) {
    count += number
    calories = calories.addingReportingOverflow(more).overflow ? calories : calories + more
  }
}
