import CivilTime
import DaybookProtocol
import Values

extension Budget {
  /// What is wrong with it though each member has its form; nil when nothing is.
  package var ruleProblem: Refusal? {
    guard Currency(currency) != nil else {
      return Refusal(
        "/currency", .form, "this is no code of a currency", allowed: "three capital letters of ISO 4217, such as EUR")
    }
    var problems = RefusalList()
    problems.check(SubscriptionRules.refusal(ofAmount: amount, mayBeZero: false, pointer: "/amount", exception: ""))
    problems.day(anchor, "/anchor")
    return problems.found.first
  }

  /// The most that is meant to be spent in a period.
  package var limit: Price { Price(amount, Currency(currency) ?? .undefined) }

  /// The first days of its periods: a pay day and all that are counted from it. Nil for a period of a later version, or what
  /// is no currency: such a budget is not reckoned with.
  private var schedule: Schedule? {
    guard Currency(currency) != nil else { return nil }
    switch period {
    case .weekly: return Schedule(anchor: anchor, cycle: .weekly)
    case .fortnightly: return Schedule(anchor: anchor, cycle: .every(2, .week))
    case .monthly: return Schedule(anchor: anchor, cycle: .monthly)
    case .unknown: return nil
    }
  }

  /// The period that a day is in; nil when it is not understood.
  package func days(around day: CivilDay) -> ClosedRange<CivilDay>? {
    guard let schedule else { return nil }
    let first = schedule.last(onOrBefore: day) ?? min(day, CivilDay.allowed.lowerBound)
    let next = schedule.first(onOrAfter: max(day, first).advanced(by: 1))
    let last = next.map { $0.advanced(by: -1) } ?? max(day, CivilDay.allowed.upperBound)
    return first...max(first, last)
  }
}
