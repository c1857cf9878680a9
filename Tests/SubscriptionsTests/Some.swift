import CivilTime
import FileStoreTesting
import Testing
import Values

@testable import Subscriptions

/// Shorthand for what tests are made of.
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
      return .usd
    }
    return currency
  }

  /// `12.50 EUR`.
  static func money(_ text: String) -> Money {
    let parts = text.split(separator: " ")
    return Money(decimal(String(parts[0])), currency(String(parts[1])))
  }

  static func id(_ number: Int) -> EntityID { EntityID(high: 1, low: UInt64(number)) }

  /// A subscription with the given first charge.
  static func subscription(
    _ price: String, _ cycle: Cycle = .monthly, _ anchor: String = "2026-01-15", number: Int = 1, name: String = "Some",
    category: SubscriptionCategory = .other
  ) -> Subscription {
    Subscription(
      id: id(number), name: name, price: money(price), cycle: cycle, anchor: day(anchor), category: category)
  }

  /// The seven samples, the first charged tomorrow, the second in two days, and so on.
  static func samples(today: String = "2026-03-10", currency: Currency = .usd) -> [Subscription] {
    var number = 0
    var lead = 0
    return SampleSubscriptions.make(
      today: day(today), currency: currency,
      id: {
        number += 1
        return id(number)
      },
      days: {
        lead += 1
        return lead
      })
  }
}

extension [Charge] {
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

/// Subscriptions at random, all of them valid.
struct SubscriptionMaker {
  var random: SeededGenerator

  init(seed: Int) { random = SeededGenerator(seed: 12, number: seed) }

  mutating func day(_ from: Int = 18_000, _ count: Int = 3000) -> CivilDay {
    CivilDay(daysSinceEpoch: Int32(from + random.below(count)))
  }

  mutating func cycle() -> Cycle {
    let unit = CycleUnit.allCases[random.below(4)]
    if random.once(in: 12) { return random.once(in: 2) ? .once : .lifetime }
    return .every(random.once(in: 3) ? random.among(1...40) : random.among(1...3), unit)
  }

  mutating func money() -> Money {
    let digits = random.below(5)
    let currency = [Currency.usd, .eur, Some.currency("JPY"), Some.currency("KWD")][random.below(4)]
    return Money(Decimal(significand: Int64(random.among(1...999_999)), scale: digits) ?? .zero, currency)
  }

  /// One with a life: terms, pauses, prices, marks.
  mutating func subscription(_ number: Int) -> Subscription {
    let start = day()
    var subscription = Subscription(
      id: Some.id(number), name: "S\(number)", price: money(), cycle: cycle(),
      anchor: start.advanced(by: random.below(40)),
      start: start, category: SubscriptionCategory.allCases[random.below(10)])
    if random.once(in: 3) {
      let trialEnd = start.advanced(by: random.among(1...60))
      subscription.trialEnd = trialEnd
      // What is charged once in a trial is never charged, and refused.
      if !subscription.cycle.isRecurring { subscription.anchor = max(subscription.anchor, trialEnd) }
    }
    if random.once(in: 4) {
      subscription.shares.first = PayerShare(random.among(1...3), of: random.among(3...7)) ?? .whole
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
      var mark = ChargeMark(occurrence: occurrence)
      switch random.below(3) {
      case 0: mark.kind = .skipped
      case 1: mark.payment = ChargeMark.Payment(day: occurrence, amount: random.once(in: 2) ? money().amount : nil)
      default: mark.kind = .shifted(to: occurrence.advanced(by: random.among(-3...3)))
      }
      let marked = subscription.marking(mark)
      if SubscriptionProblem.all(in: marked).isEmpty { subscription = marked }
    }
  }

  mutating func subscriptions(_ count: Int) -> [Subscription] {
    (0..<count).map { subscription($0) }
  }
}
