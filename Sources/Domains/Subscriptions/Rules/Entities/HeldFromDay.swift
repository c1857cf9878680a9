import CivilTime
import DaybookProtocol
import Values

/// What holds from a day on, for ever for what comes on its days; the first of a list has no day, and holds before all others.
package protocol HeldFromDay: Equatable, Sendable {
  /// The first day it holds on.
  var from: CivilDay? { get set }
}

extension SubscriptionPrice: HeldFromDay {}
extension SubscriptionShare: HeldFromDay {}

extension Array where Element: HeldFromDay {
  /// Where the one is that holds on a day; nil when there is none at all.
  package func place(on day: CivilDay) -> Int? {
    isEmpty ? nil : lastIndex { $0.from.map { $0 <= day } ?? true } ?? 0
  }

  /// The list with something else from a day on, in place of what began on that day. It is no change where the same holds
  /// then anyhow. Later changes stay, the next also where it is to the same: it was decided for its own day.
  package func changing(to element: Element, from day: CivilDay) -> [Element] {
    var (list, change) = (filter { $0.from != day }, element)
    if let place = list.place(on: day) {
      change.from = list[place].from
      if list[place] == change { return list }
    }
    change.from = day
    list.insert(change, at: list.firstIndex { $0.from.map { $0 > day } ?? false } ?? list.endIndex)
    return list
  }
}

extension SubscriptionPrice {
  /// A price from a day on; from nil for the first.
  package init(_ price: Money, from: CivilDay? = nil) {
    self.init(from: from, amount: price.amount, currency: price.currency)
  }

  /// Between what it varies; nil where nothing is said of that.
  package var range: PriceRange? {
    guard least != nil || most != nil else { return nil }
    return PriceRange(
      least: least.map { Money(amount: $0, currency: currency) },
      most: most.map { Money(amount: $0, currency: currency) })
  }
}

extension SubscriptionShare {
  /// A share from a day on; from nil for the first.
  package init(_ share: PayerShare, from: CivilDay? = nil) {
    self.init(from: from, numerator: share.numerator, denominator: share.denominator)
  }

  /// The part itself.
  package var share: PayerShare { PayerShare(numerator: numerator, denominator: denominator) }
}

extension Subscription {
  /// The price of a day: a charge has that of its own day for ever.
  package func price(on day: CivilDay) -> Price {
    prices.place(on: day).map { Price(prices[$0]) } ?? Price(.zero, .undefined)
  }

  /// Between what the price of a day varies; nil where nothing is said of that.
  package func priceRange(on day: CivilDay) -> PriceRange? { prices.place(on: day).flatMap { prices[$0].range } }

  /// The share of a day: a charge has that of its own day for ever.
  package func share(on day: CivilDay) -> PayerShare {
    guard let shares, let place = shares.place(on: day) else { return .whole }
    return shares[place].share
  }
}

/// The values of ascending days, without looking each up.
struct DayCursor<Element: HeldFromDay, Value> {
  private let list: [Element]
  private let read: (Element) -> Value
  private var next = 1
  private var current: Value
  /// The first day of the next value.
  private var limit = Int32.max

  /// `fallback` is the value of a list that is empty.
  @inline(__always)
  init(_ list: [Element], fallback: Value, _ read: @escaping (Element) -> Value) {
    self.list = list
    self.read = read
    current = list.first.map(read) ?? fallback
    moveLimit()
  }

  private mutating func moveLimit() {
    limit = next < list.count ? list[next].from?.daysSinceEpoch ?? .min : .max
  }

  /// What holds on a day that is not before the one asked for last.
  @inline(__always)
  mutating func value(on day: CivilDay) -> Value {
    while day.daysSinceEpoch >= limit, next < list.count {
      current = read(list[next])
      next += 1
      moveLimit()
    }
    return current
  }
}
