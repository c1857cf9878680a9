import DaybookProtocol
import FileStoreTesting
import Subscriptions
import Tables
import Testing

@testable import SubscriptionTables

/// Shorthand for test values.
enum Some {
  static let today = day("2026-03-10")

  static func day(_ text: String) -> CivilDay {
    guard let day = CivilDay(text) else {
      Issue.record("no day: \(text)")
      return CivilDay(daysSinceEpoch: 0)
    }
    return day
  }

  /// `12.50 EUR`.
  static func money(_ text: String) -> Money {
    let parts = text.split(separator: " ")
    guard let amount = Decimal(String(parts[0])), let currency = Currency(String(parts[1])) else {
      Issue.record("no money: \(text)")
      return Money(amount: .zero, currency: "USD")
    }
    return Money(Price(amount, currency))
  }

  /// A price from a day on, or before all others.
  static func price(_ text: String, from day: String? = nil) -> SubscriptionPrice {
    SubscriptionPrice(money(text), from: day.map(Some.day))
  }

  /// `1 of 3` from a day on, or before all others.
  static func share(_ numerator: Int, of denominator: Int, from day: String? = nil) -> SubscriptionShare {
    SubscriptionShare(from: day.map(Some.day), numerator: numerator, denominator: denominator)
  }

  static let now = Instant(milliseconds: 0)

  static func id(_ number: Int) -> EntityID { EntityID(high: 0x4000, low: 0x8000_0000_0000_0000 | UInt64(number)) }

  /// An id derived from a key.
  static func identity(_ key: String) -> EntityID {
    var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
    for byte in key.utf8 {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
      low = (low &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      low ^= low >> 29
    }
    return EntityID(high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  static func subscription(_ name: String = "Some", _ price: String = "9.99 EUR") -> Subscription {
    Subscription(
      id: id(1), name: name, category: .other, prices: [Some.price(price)], cycle: .monthly, anchor: day("2026-01-31"),
      start: day("2026-01-31"), createdAt: now, updatedAt: now)
  }

  static func read(
    _ text: String, _ change: (inout SubscriptionTableOptions) -> Void = { _ in }
  ) throws -> SubscriptionTable {
    var options = SubscriptionTableOptions(today: today)
    options.currency = .usd
    change(&options)
    return try SubscriptionTable.read(Array(text.utf8), options)
  }

  /// A table in short: the outcome of each row.
  static func contents(_ table: SubscriptionTable) -> [String] {
    table.rows.map { row in
      switch row.content {
      case .ignored: return "-"
      case .refused: return "!"
      case .draft(let row):
        let subscription = row.subscription
        return [
          subscription.name, "\(row.price.amount) \(row.price.currency)", CellForms.cycle(subscription.cycle),
          "\(subscription.anchor)", subscription.category.rawValue, subscription.status(on: today).rawValue,
        ].joined(separator: "|")
      }
    }
  }

  static func row(_ table: SubscriptionTable, _ index: Int = 0) throws -> SubscriptionDraft {
    guard case .draft(let row) = table.rows[index].content else {
      throw Missing(problems: table.problems)
    }
    return row
  }

  /// Whether a row matches a subscription that was added by hand.
  static func isTaken(_ row: SubscriptionDraft, for subscription: Subscription) -> Bool {
    let target = SubscriptionTarget(today: today)
    return target.likeness(of: row) == target.likeness(of: subscription)
  }

  struct Missing: Error { let problems: [TableProblem] }
}

enum CellForms {
  static func cycle(_ cycle: BillingCycle) -> String {
    cycle.count.map { SpanText.text($0, cycle.unitName) } ?? cycle.unitName
  }
}

extension SubscriptionDraft {
  func differences(from other: Subscription, today: CivilDay) -> [String] {
    SubscriptionTarget(today: today).differences(of: other, from: self)
  }

  func applied(to other: Subscription, today: CivilDay) -> Subscription {
    SubscriptionTarget(today: today).merged(self, other)
  }

  func made(id: EntityID) -> Subscription {
    SubscriptionTarget(today: Some.today).made(of: self, id: id, at: Some.now) ?? subscription
  }
}

typealias Pause = SubscriptionPause

extension Subscription {
  /// What a table without the columns of what was and is planned carries of it: one price, one share, one term, no marks, and that it is paused
  /// without since when.
  func carried(today: CivilDay) -> Subscription {
    var carried = withoutPlannedCycle(today: today)
    let next = carried.nextCharge(today: today)?.day ?? today
    carried.prices = [SubscriptionPrice(Money(price(on: today)))]
    carried.shareList = [SubscriptionShare(share(on: today))]
    carried.formerTerms = nil
    carried.marks = nil
    carried.pauseList =
      status(on: today) == .paused ? [Pause(from: max(min(next, today), start))] : []
    return carried
  }
}

/// Random valid subscriptions with every member.
struct SubscriptionMaker {
  var random: SeededGenerator
  private let parts = [
    ",", "\"", "\n", "\r\n", "\r", "🎬", "é", "=", "+", "-", "@", "\t", "'", " ", "a", "1", ";", "\\", "sep=",
  ]

  init(seed: Int) { random = SeededGenerator(seed: 77, number: seed) }

  private mutating func text(_ most: Int) -> String {
    (0..<random.among(1...most)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  private mutating func day() -> CivilDay { CivilDay(daysSinceEpoch: Int32(random.among(18_000...22_000))) }

  private mutating func cycle() -> BillingCycle {
    if random.once(in: 8) { return random.once(in: 2) ? .once : .lifetime }
    var cycle = BillingCycle.every(
      random.once(in: 3) ? random.among(1...1000) : random.among(1...3), CycleUnit.known[random.below(4)])
    guard cycle.unit == .month, random.once(in: 2) else { return cycle }
    switch random.below(3) {
    case 0: cycle.days = [3, 15, 31]
    case 1: (cycle.weekday, cycle.week) = (.sunday, random.once(in: 2) ? -1 : random.among(1...4))
    default: break
    }
    if random.once(in: 2) { cycle.weekend = random.once(in: 2) ? .before : .after }
    if random.once(in: 2) { cycle.times = random.among(1...1000) }
    return cycle
  }

  private mutating func money() -> Money {
    let currency = ["USD", "EUR", "JPY", "KWD", "CHF"].compactMap { Currency($0) }[random.below(5)]
    return Money(
      amount: Decimal(significand: Int64(random.among(1...99_999_999)), scale: random.below(5)) ?? Decimal(1),
      currency: currency.code)
  }

  mutating func subscription(_ number: Int) -> Subscription {
    let start = day()
    var made = Subscription(
      id: Some.id(number), name: text(8), category: .other, prices: [SubscriptionPrice(money())], cycle: cycle(),
      anchor: start.advanced(by: random.below(40)), start: start, createdAt: Some.now, updatedAt: Some.now)
    made.category = SubscriptionCategory.known[random.below(10)]
    if random.once(in: 3) { made.trialEnd = start.advanced(by: random.among(1...60)) }
    if random.once(in: 4) { made.end = start.advanced(by: random.among(0...3000)) }
    if random.once(in: 3) { made.shareList = [Some.share(random.among(1...4), of: random.among(4...1000))] }
    if random.once(in: 3) {
      let (end, count) = (start.advanced(by: random.below(900)), random.below(90))
      made.contract = Contract(
        end: end,
        notice: count == 0 ? nil : CalendarSpan(count, CycleUnit.known[random.below(4)]),
        renewal: random.once(in: 2) ? CalendarSpan(random.among(1...24), CycleUnit.known[random.below(4)]) : nil)
    }
    if random.once(in: 2) { made.paymentMethod = text(10) }
    if random.once(in: 2) { made.note = text(40) }
    if random.once(in: 2) { made.url = "https://example.com/?q=\(random.below(100)),;\"'=ü" }
    if random.once(in: 2) { made.usage = UsageRating.known[random.below(4)] }
    if random.once(in: 2) { made.reminderDays = [30, 7, 3, 0].filter { _ in random.once(in: 2) } }
    if made.category == .other, random.once(in: 2) { made.ownCategory = text(6) }
    if random.once(in: 3) { made.paidBy = text(6) }
    if random.once(in: 4) { made.cancelBy = day() }
    if random.once(in: 4) { made.replacedById = Some.id(random.among(100...900)) }
    if let last = made.shareList.last?.share, last.denominator > 2 * last.numerator, random.once(in: 2) {
      made.household = [
        HouseholdPart(name: text(6), numerator: last.numerator, denominator: last.denominator),
        HouseholdPart(name: "Ben", numerator: 1, denominator: 1000),
      ]
    }
    if random.once(in: 4) {
      made.prices[0].least = Decimal(0)
      made.prices[0].most = made.prices[0].amount.adding(Decimal(1))
    }
    for _ in 0..<random.below(6) {
      made.tagList.append(text(6))
      if !SubscriptionRules.refusals(of: made).isEmpty { made.tagList.removeLast() }
    }
    var at = start
    for _ in 0..<random.below(4) {
      at = at.advanced(by: random.among(1...300))
      switch random.below(5) {
      case 0: made = made.changingPrice(to: money(), from: at)
      case 1: made = made.pausing(from: at)
      case 2: made = made.resuming(on: at, today: at)
      case 3:
        let share = random.once(in: 2) ? .whole : PayerShare(random.among(1...4), of: random.among(4...9)) ?? .whole
        made = made.changingShare(to: share, from: at)
      default: made = made.changingCycle(to: cycle(), anchor: at.advanced(by: random.below(30)), from: at)
      }
    }
    mark(&made)
    return SubscriptionRules.refusals(of: made).isEmpty ? made : subscription(number)
  }

  private mutating func mark(_ subscription: inout Subscription) {
    guard random.once(in: 2) else { return }
    let days = subscription.start...subscription.start.advanced(by: 600)
    for occurrence in subscription.charges(in: days).map(\.occurrence) where random.once(in: 5) {
      var mark = ChargeMark(occurrence: occurrence, kind: .kept)
      if random.once(in: 2) {
        (mark.kind, mark.shiftedTo) = (.shifted, occurrence.advanced(by: random.among(-3...3)))
      }
      if random.once(in: 2) {
        (mark.paidOn, mark.paidAmount) = (occurrence, random.once(in: 2) ? money().amount : nil)
      } else if random.once(in: 2) {
        (mark.kind, mark.shiftedTo) = (.skipped, nil)
      }
      let marked = subscription.marking(mark)
      if SubscriptionRules.refusals(of: marked).isEmpty { subscription = marked }
    }
  }
}

extension Currency {
  static let eur = Currency("EUR") ?? .undefined
  static let usd = Currency("USD") ?? .undefined
}
