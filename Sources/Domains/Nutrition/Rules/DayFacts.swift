import CivilTime
import DaybookProtocol
import Values

/// What is known of a day: the sums over what was logged, and what is noted of it as a whole. No settings enter here.
package struct DayFacts: Sendable, Equatable {
  package let day: CivilDay
  package var totals = DayTotals()
  /// Whether nothing was eaten on purpose.
  package var fasted = false
  package var hasNote = false
  /// What was burned; it makes no data.
  package var exercise = ExerciseTotals()
  /// What was drunk, millilitres; nil when nothing was logged. It makes no data either.
  package var water: Decimal?

  package init(_ day: CivilDay) { self.day = day }

  /// Whether the day counts in averages, hits and streaks: something was logged, or it is marked fasted.
  package var hasData: Bool { totals.mealCount > 0 || fasted }

  /// What was eaten, kcal; nil for a day without data.
  package var consumed: Int? { hasData ? totals.calories : nil }

  /// Counts in what was drunk, millilitres. A sum that no longer fits stays at what it was.
  package mutating func drink(_ volume: Decimal) {
    let sum = water ?? .zero
    water = sum.adding(volume) ?? sum
  }

  /// Takes in what is known beside the meals.
  package mutating func note(_ other: DayFacts) {
    fasted = other.fasted
    hasNote = other.hasNote
    exercise = other.exercise
    water = other.water
  }
}

extension [DayFacts] {
  /// Those of some days; the list is ascending by day.
  package func within(_ days: ClosedRange<CivilDay>) -> ArraySlice<DayFacts> {
    let start = firstIndex(from: days.lowerBound)
    return self[start..<Swift.max(start, firstIndex(from: days.upperBound.advanced(by: 1)))]
  }

  /// Where the first of a day or a later one stands.
  private func firstIndex(from day: CivilDay) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
