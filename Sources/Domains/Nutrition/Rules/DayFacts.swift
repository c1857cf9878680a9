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

  /// Takes in what others know of the same day; each part of it is known in one place alone.
  package mutating func add(_ other: DayFacts) {
    if other.totals.mealCount > 0 { totals = other.totals }
    fasted = fasted || other.fasted
    hasNote = hasNote || other.hasNote
    if other.exercise.count > 0 { exercise = other.exercise }
    water = other.water ?? water
  }
}

extension [DayFacts] {
  /// Takes in what others know; both lists are ascending by day, each day once.
  package mutating func merge(_ others: [DayFacts]) {
    guard !others.isEmpty else { return }
    var (rest, merged) = (others[...], [DayFacts]())
    merged.reserveCapacity(count + others.count)
    for facts in self {
      while let next = rest.first, next.day < facts.day { merged.append(rest.removeFirst()) }
      merged.append(facts)
      if rest.first?.day == facts.day { merged[merged.count - 1].add(rest.removeFirst()) }
    }
    self = merged + rest
  }

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
