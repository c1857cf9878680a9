import DaybookProtocol

/// What is logged on a day, independent of the settings.
package struct DayFacts: Sendable, Equatable {
  package let day: CivilDay
  package var totals = DayTotals()
  /// Whether the day is marked as a fast.
  package var fasted = false
  package var hasNote = false
  /// Exercise alone is no data.
  package var exercise = ExerciseTotals()
  /// Water drunk, millilitres; nil if none was logged. Water alone is no data.
  package var water: Decimal?

  package init(_ day: CivilDay) { self.day = day }

  /// Whether the day counts in averages, hits and streaks: it has meals or is marked as a fast.
  package var hasData: Bool { totals.mealCount > 0 || fasted }

  /// The calories eaten, kcal; nil without data.
  package var consumed: Int? { hasData ? totals.calories : nil }

  /// Adds water, millilitres. A sum that overflows stays unchanged.
  package mutating func drink(_ volume: Decimal) { water = (water ?? .zero).adding(volume) ?? water ?? .zero }

  /// Merges the same day's facts from another collection.
  package mutating func add(_ other: DayFacts) {
    if other.totals.mealCount > 0 { totals = other.totals }
    fasted = fasted || other.fasted
    hasNote = hasNote || other.hasNote
    if other.exercise.count > 0 { exercise = other.exercise }
    water = other.water ?? water
  }
}

extension [DayFacts] {
  /// Merges facts from another collection; both lists are ascending, each day once.
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

  /// The facts of a range of days; the list is ascending.
  package func within(_ days: ClosedRange<CivilDay>) -> ArraySlice<DayFacts> {
    let start = partitioningIndex { $0.day >= days.lowerBound }
    return self[start..<Swift.max(start, partitioningIndex { $0.day > days.upperBound })]
  }
}
