import CivilTime
import DaybookProtocol

extension BillingCycle {
  /// How many units a cycle may have.
  package static let allowedCounts = 1...1000

  /// Every so many units; what is outside 1…1,000 counts as the nearest of these.
  package static func every(_ count: Int, _ unit: CycleUnit) -> BillingCycle {
    BillingCycle(kind: .recurring, every: count, unit: unit)
  }

  /// Once, and over from the day after.
  package static let once = BillingCycle(kind: .once)
  /// Once, and never over by itself: a lifetime licence.
  package static let lifetime = BillingCycle(kind: .lifetime)
  /// Every week.
  package static let weekly = every(1, .week)
  /// Every month.
  package static let monthly = every(1, .month)
  /// Every third month.
  package static let quarterly = every(3, .month)
  /// Every year.
  package static let yearly = every(1, .year)

  /// The number of units, within what is allowed; nil for what is charged once.
  package var count: Int? {
    guard isRecurring else { return nil }
    return min(max(every ?? 1, BillingCycle.allowedCounts.lowerBound), BillingCycle.allowedCounts.upperBound)
  }

  /// Whether it is charged again and again.
  package var isRecurring: Bool { kind == .recurring }

  /// The same, saying how many units it has.
  package var tidied: BillingCycle { isRecurring ? BillingCycle(kind: kind, every: every ?? 1, unit: unit) : self }

  /// How often a year, as a fraction: 365, 52, 12 or 1 over the number of units; nothing for what is
  /// charged once. (Decisions, Subscriptions: yearly = amount × (365, 52, 12, 1)/N, so that a monthly price is exactly a
  /// twelfth of its year.)
  var timesAYear: (numerator: Int64, denominator: Int64) {
    guard let count else { return (0, 1) }
    let units: Int64 =
      switch unit {
      case .day: 365
      case .week: 52
      case .month: 12
      default: 1
      }
    return (units, Int64(count))
  }
}

extension CalendarSpan {
  /// How many units a span may have.
  package static let allowedCounts = 0...1000

  /// So many units.
  package init(_ count: Int, _ unit: CycleUnit) { self.init(count: count, unit: unit) }
}

extension FormerTerm {
  /// Its days, and those it would have had before and after.
  @inline(__always)
  package var schedule: Schedule { Schedule(anchor: anchor, cycle: cycle) }
}

extension [FormerTerm] {
  /// The one that holds on a day, of terms ascending by their ends; nil where that is none of them but the present cycle.
  @inline(__always)
  func holding(on day: CivilDay) -> FormerTerm? {
    guard !isEmpty else { return nil }
    let place = place(on: day)
    return place < count ? self[place] : nil
  }

  /// The place of the one that holds on a day, or their number where that is none of them. Found by halves.
  func place(on day: CivilDay) -> Int { partitioningIndex { day < $0.until } }
}

extension Array {
  /// The first index whose element suits, where all after it do too; the end when none does. O(log n).
  func partitioningIndex(where suits: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if suits(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
