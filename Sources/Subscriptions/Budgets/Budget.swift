import CivilTime
import Values

/// What one means to spend on subscriptions at most.
package struct Budget: Hashable, Sendable {
  /// What a budget is of.
  package enum Period: String, CaseIterable, Sendable {
    /// From one pay day to the next, a week apart.
    case weekly
    /// Two weeks apart.
    case fortnightly
    /// From a day of the month to the next, or from the month's last day where it is shorter.
    case monthly
  }

  /// The identity: letters, digits and `-`.
  package var id: EntityID
  /// The most that is meant to be spent in a period, more than nothing.
  package var limit: Money
  /// The length of a period.
  package var period: Period
  /// A day on which a period begins, such as a pay day; all others are counted from it. The first of a month for calendar
  /// months.
  package var anchor: CivilDay

  package init(id: EntityID, limit: Money, period: Period, anchor: CivilDay) {
    self.id = id
    self.limit = limit
    self.period = period
    self.anchor = anchor
  }

  /// What is wrong with it, in the order of its members.
  package var problems: [SubscriptionProblem] {
    var problems = Problems()
    problems.check(SubscriptionProblem.amount(limit.amount, mayBeZero: false, pointer: "/amount", exception: ""))
    problems.day(anchor, "/anchor")
    return problems.found
  }

  private var schedule: Schedule {
    switch period {
    case .weekly: Schedule(anchor: anchor, cycle: .weekly)
    case .fortnightly: Schedule(anchor: anchor, cycle: .every(2, .week))
    case .monthly: Schedule(anchor: anchor, cycle: .monthly)
    }
  }

  /// The period that a day is in.
  package func days(around day: CivilDay) -> ClosedRange<CivilDay> {
    let schedule = schedule
    let first = schedule.last(onOrBefore: day) ?? min(day, CivilDay.allowed.lowerBound)
    let next = schedule.first(onOrAfter: max(day, first).advanced(by: 1))
    let last = next.map { $0.advanced(by: -1) } ?? max(day, CivilDay.allowed.upperBound)
    return first...max(first, last)
  }
}

/// How a period stands against a budget.
package enum BudgetStanding: String, CaseIterable, Sendable {
  /// Less than four fifths of it are spoken for.
  case within
  /// At least four fifths of it are spoken for, at most all.
  case near
  /// More is spoken for than there is.
  case over
}

/// A budget in one of its periods.
package struct BudgetStatus: Sendable, Equatable {
  /// The budget.
  package let budget: EntityID
  /// The period.
  package let days: ClosedRange<CivilDay>
  /// What was charged up to today, and what was paid ahead of its day.
  package let spent: Money
  /// What is still to be paid in the period.
  package let committed: Money
  /// The limit less both; negative when there is not enough.
  package let remaining: Money
  /// Both in percent of the limit, rounded down; 101 at least when it is over.
  package let percentage: Int
  /// How it stands.
  package let standing: BudgetStanding
  /// The charge that brings it over the limit; nil when none does.
  package let crossing: Charge?
  /// Charges of currencies that could not be converted, and so are not counted; ascending.
  package let uncounted: [Currency]
}
