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

  /// The same, saying how many units it has, and nothing of no days.
  package var tidied: BillingCycle {
    guard isRecurring else { return self }
    var tidied = self
    tidied.every = every ?? 1
    if days == [] { tidied.days = nil }
    return tidied
  }

  /// How often a year, as a fraction: 365, 52, 12 or 1 over the number of units; nothing for what is
  /// charged once. (Decisions, Subscriptions: yearly = amount × (365, 52, 12, 1)/N, so that a monthly price is exactly a
  /// twelfth of its year.) On several days of a month it is charged that often.
  var timesAYear: (numerator: Int64, denominator: Int64) {
    guard let count else { return (0, 1) }
    let units: Int64 =
      switch unit {
      case .day: 365
      case .week: 52
      case .month: 12
      default: 1
      }
    return (units * Int64(max(days?.count ?? 1, 1)), Int64(count))
  }
}

extension CalendarSpan {
  /// How many units a span may have.
  package static let allowedCounts = 0...1000

  /// So many units.
  package init(_ count: Int, _ unit: CycleUnit) { self.init(count: count, unit: unit) }
}

extension [FormerTerm] {
  /// The place of the one that holds on a day, of terms ascending by their ends; nil where that is none of them but the present
  /// cycle.
  @inline(__always)
  func holding(on day: CivilDay) -> Int? {
    guard !isEmpty else { return nil }
    let place = place(on: day)
    return place < count ? place : nil
  }

  /// The day whose price and share a charge has: the one it comes on, but not behind the term that its day of the cycle is of.
  func pricedDay(of occurrence: CivilDay, on day: CivilDay) -> CivilDay {
    holding(on: occurrence).map { Swift.min(day, self[$0].until.advanced(by: -1)) } ?? day
  }

  /// The days of one of them, and those it would have had before and after; `first` is the first that is charged of all.
  @inline(__always)
  func schedule(at place: Int, chargedFrom first: CivilDay) -> Schedule {
    let schedule = Schedule(anchor: self[place].anchor, cycle: self[place].cycle)
    guard self[place].cycle.times != nil else { return schedule }
    return schedule.counted(from: place > 0 ? Swift.max(first, self[place - 1].until) : first)
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
