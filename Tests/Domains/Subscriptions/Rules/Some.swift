import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Subscriptions

/// Shorthand for test values.
enum Some {
  static func day(_ text: String) -> CivilDay {
    guard let day = CivilDay(text) else {
      Issue.record("no day: \(text)")
      return CivilDay(daysSinceEpoch: 0)
    }
    return day
  }

  static func decimal(_ text: String) -> Decimal {
    guard let decimal = Decimal(text) else {
      Issue.record("no decimal: \(text)")
      return .zero
    }
    return decimal
  }

  static func currency(_ code: String) -> Currency {
    guard let currency = Currency(code) else {
      Issue.record("no currency: \(code)")
      return .undefined
    }
    return currency
  }

  /// `12.50 EUR`.
  static func price(_ text: String) -> Price {
    let parts = text.split(separator: " ")
    return Price(decimal(String(parts[0])), currency(String(parts[1])))
  }

  /// `12.50 EUR`.
  static func money(_ text: String) -> Money { Money(price(text)) }

  /// A price from a day on, or before all others.
  static func price(_ text: String, from day: String?) -> SubscriptionPrice {
    SubscriptionPrice(money(text), from: day.map(Some.day))
  }

  /// `1 of 3` from a day on, or before all others.
  static func share(_ numerator: Int, of denominator: Int, from day: CivilDay? = nil) -> SubscriptionShare {
    SubscriptionShare(from: day, numerator: numerator, denominator: denominator)
  }

  static let now = Instant(milliseconds: 0)

  static func id(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }

  /// A subscription with the given first charge.
  static func subscription(
    _ price: String, _ cycle: Cycle = .monthly, _ anchor: String = "2026-01-15", number: Int = 1, name: String = "Some",
    category: SubscriptionCategory = .other
  ) -> Subscription {
    Subscription(
      id: id(number), name: name, category: category, prices: [SubscriptionPrice(money(price))], cycle: cycle,
      anchor: day(anchor), start: day(anchor), createdAt: now, updatedAt: now)
  }

  /// The seven samples, the first charged tomorrow, the second in two days, and so on.
  static func samples(today: String = "2026-03-10", currency: Currency = .usd) -> [Subscription] {
    var number = 0
    var lead = 0
    return SampleSubscriptions.make(
      today: day(today), now: now, currency: currency,
      id: {
        number += 1
        return id(number)
      },
      days: {
        lead += 1
        return lead
      })
  }

  static func insights(
    _ subscriptions: [Subscription], today: CivilDay, trend: TrendLength = .sixMonths, rates: RateTable? = nil,
    currency: Currency? = nil
  ) -> InsightsGetResult {
    InsightsGetResult(SubscriptionBook(subscriptions), today: today, trend: trend, rates: rates, currency: currency)
  }

  static func overview(
    _ subscriptions: [Subscription], today: CivilDay, conversion: (rates: RateTable, currency: Currency)? = nil,
    hasAccess: Bool = true
  ) -> OverviewGetResult {
    OverviewGetResult(SubscriptionBook(subscriptions), today: today, hasAccess: hasAccess, conversion: conversion)
  }

  static func budget(_ limit: String, _ period: BudgetPeriod = .monthly, _ anchor: String = "2026-01-01") -> Budget {
    let limit = money(limit)
    return Budget(
      id: id(99), amount: limit.amount, currency: limit.currency, period: period, anchor: day(anchor), createdAt: now,
      updatedAt: now)
  }

  static func outlook(
    _ budget: Budget, _ subscriptions: [Subscription], around day: CivilDay? = nil, today: CivilDay, periods: Int = 1,
    rates: RateTable? = nil
  ) -> [BudgetStatus] {
    BudgetStatus.outlook(
      budget, SubscriptionBook(subscriptions), around: day, today: today, periods: periods, rates: rates)
  }
}

typealias Cycle = BillingCycle
typealias Pause = SubscriptionPause

extension BudgetStatus {
  /// Its period.
  var days: ClosedRange<CivilDay> { from...to }
}

extension Currency {
  static let eur = Some.currency("EUR")
  static let usd = Some.currency("USD")
}

extension Schedule {
  /// The days of a range.
  func days(in days: ClosedRange<CivilDay>) -> [CivilDay] {
    var found: [CivilDay] = []
    visit(in: days) { day, _ in found.append(day) }
    return found
  }
}

extension [PlannedCharge] {
  /// The days.
  var days: [String] { map(\.day.description) }
}

extension [Money] {
  /// `12.50 EUR` each.
  var brief: [String] { map { "\($0.amount) \($0.currency)" } }
}

extension Subscription {
  /// With something changed.
  func with(_ change: (inout Subscription) -> Void) -> Subscription {
    var subscription = self
    change(&subscription)
    return subscription
  }
}

/// Random valid subscriptions.
struct SubscriptionMaker {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: 12, number: seed) }

  mutating func day(_ from: Int = 18_000, _ count: Int = 3000) -> CivilDay {
    CivilDay(daysSinceEpoch: Int32(from + random.below(count)))
  }

  mutating func cycle() -> Cycle {
    let unit = CycleUnit.known[random.below(4)]
    if random.once(in: 12) { return random.once(in: 2) ? .once : .lifetime }
    var cycle = Cycle.every(random.once(in: 3) ? random.among(1...40) : random.among(1...3), unit)
    if unit == .month, random.once(in: 3) {
      cycle.days = [[1, 15], [31], [5, 12, 28], [1, 4, 7, 31]][random.below(4)]
    } else if unit == .month || unit == .year, random.once(in: 3) {
      cycle.weekday = Weekday.known[random.below(7)]
      cycle.week = [1, 2, 3, 4, -1][random.below(5)]
    }
    let isNear = cycle.days.map { $0.contains(1) && $0.contains(31) } ?? false
    if unit != .day, !isNear, random.once(in: 3) { cycle.weekend = WeekendRule.known[random.below(2)] }
    if random.once(in: 6) { cycle.times = random.among(1...20) }
    return cycle
  }

  /// Moves the charges of a cycle off weekends, where it may.
  mutating func rule(_ cycle: inout Cycle) {
    guard cycle.isRecurring, cycle.unit != .day, cycle.days.map({ !($0.contains(1) && $0.contains(31)) }) ?? true
    else { return }
    cycle.weekend = WeekendRule.known[random.below(2)]
  }

  mutating func money() -> Money { Money(price()) }

  mutating func price() -> Price {
    let digits = random.below(5)
    let currency = [Currency.usd, .eur, Some.currency("JPY"), Some.currency("KWD")][random.below(4)]
    return Price(Decimal(significand: Int64(random.among(1...999_999)), scale: digits) ?? .zero, currency)
  }

  /// A subscription with a history: terms, pauses, prices, marks.
  mutating func subscription(_ number: Int) -> Subscription {
    let start = day()
    var subscription = Subscription(
      id: Some.id(number), name: "S\(number)", category: .other, prices: [SubscriptionPrice(money())], cycle: cycle(),
      anchor: start.advanced(by: random.below(40)), start: start, createdAt: Some.now, updatedAt: Some.now)
    subscription.category = SubscriptionCategory.known[random.below(10)]
    if random.once(in: 3) {
      let trialEnd = start.advanced(by: random.among(1...60))
      subscription.trialEnd = trialEnd
      // A single charge in a trial would never be charged, and is refused.
      if !subscription.cycle.isRecurring { subscription.anchor = max(subscription.anchor, trialEnd) }
    }
    if random.once(in: 4) {
      subscription.shareList = [Some.share(random.among(1...3), of: random.among(3...7))]
    }
    var at = start
    for _ in 0..<random.below(5) {
      at = at.advanced(by: random.among(1...300))
      switch random.below(5) {
      case 0: subscription = subscription.changingPrice(to: money(), from: at)
      case 3: subscription = subscription.changingShare(to: PayerShare(1, of: random.among(1...4)) ?? .whole, from: at)
      case 1: subscription = subscription.pausing(from: at)
      case 2: subscription = subscription.resuming(on: at, today: at)
      default:
        let next = cycle()
        let anchor = max(at.advanced(by: random.below(30)), subscription.trialEnd ?? at)
        subscription = subscription.changingCycle(to: next, anchor: anchor, from: at)
      }
    }
    if random.once(in: 4) { subscription.end = at.advanced(by: random.among(0...400)) }
    mark(&subscription)
    return subscription
  }

  private mutating func mark(_ subscription: inout Subscription) {
    guard !random.once(in: 3) else { return }
    for occurrence in subscription.charges(in: subscription.start...subscription.start.advanced(by: 600)).map(
      \.occurrence)
    where random.once(in: 5) {
      var mark = ChargeMark(occurrence: occurrence, kind: .kept)
      switch random.below(3) {
      case 0: mark.kind = .skipped
      case 1: (mark.paidOn, mark.paidAmount) = (occurrence, random.once(in: 2) ? money().amount : nil)
      default: (mark.kind, mark.shiftedTo) = (.shifted, occurrence.advanced(by: random.among(-3...3)))
      }
      let marked = subscription.marking(mark)
      if SubscriptionRules.refusals(of: marked).isEmpty { subscription = marked }
    }
  }

  mutating func subscriptions(_ count: Int) -> [Subscription] {
    (0..<count).map { subscription($0) }
  }
}
