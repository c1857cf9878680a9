import DaybookProtocol

/// A value that takes effect on a day and holds until the next one; the first in a list has no day.
package protocol EffectiveDated: Equatable, Sendable {
  /// The first day it holds.
  var from: CivilDay? { get set }
}

extension SubscriptionPrice: EffectiveDated {}
extension SubscriptionShare: EffectiveDated {}

extension Array where Element: EffectiveDated {
  /// The index of the value that holds on a day; nil in an empty list.
  package func index(on day: CivilDay) -> Int? {
    isEmpty ? nil : lastIndex { $0.from.map { $0 <= day } ?? true } ?? 0
  }

  /// The list with another value from a day on, replacing the one that begins on that day. Nothing changes where the
  /// same value holds anyway. Later values stay, even an equal one: it was set for its own day.
  package func changing(to element: Element, from day: CivilDay) -> [Element] {
    var (list, change) = (filter { $0.from != day }, element)
    if let place = list.index(on: day) {
      change.from = list[place].from
      if list[place] == change { return list }
    }
    change.from = day
    list.insert(change, at: list.firstIndex { $0.from.map { $0 > day } ?? false } ?? list.endIndex)
    return list
  }
}

extension SubscriptionPrice {
  package init(_ price: Money, from: CivilDay? = nil) {
    self.init(from: from, amount: price.amount, currency: price.currency)
  }

  /// The price range; nil where none is given.
  package var range: PriceRange? {
    guard least != nil || most != nil else { return nil }
    return PriceRange(
      least: least.map { Money(amount: $0, currency: currency) },
      most: most.map { Money(amount: $0, currency: currency) })
  }
}

extension SubscriptionShare {
  package init(_ share: PayerShare, from: CivilDay? = nil) {
    self.init(from: from, numerator: share.numerator, denominator: share.denominator)
  }

  package var share: PayerShare { PayerShare(numerator: numerator, denominator: denominator) }
}

extension [SubscriptionPrice] {
  func price(on day: CivilDay) -> Price { index(on: day).map { Price(self[$0]) } ?? Price(.zero, .undefined) }
}

extension [SubscriptionShare] {
  func share(on day: CivilDay) -> PayerShare { index(on: day).map { self[$0].share } ?? .whole }
}

extension Subscription {
  package func price(on day: CivilDay) -> Price { prices.price(on: day) }

  /// The price range on a day; nil where none is given.
  package func priceRange(on day: CivilDay) -> PriceRange? { prices.index(on: day).flatMap { prices[$0].range } }

  package func share(on day: CivilDay) -> PayerShare { shares?.share(on: day) ?? .whole }
}

/// Values on ascending days, without a search for each.
struct DayCursor<Element: EffectiveDated, Value> {
  private let list: [Element]
  private let read: (Element) -> Value
  private var next = 1
  private var current: Value
  /// The first day of the present value, and of the next.
  private var start = Int32.min
  private var limit = Int32.max

  /// `fallback` is the value of an empty list.
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

  /// The value on a day. Days ascend, but for a few where terms meet.
  @inline(__always)
  mutating func value(on day: CivilDay) -> Value {
    if day.daysSinceEpoch < start { rewind() }
    while day.daysSinceEpoch >= limit, next < list.count {
      (start, current) = (limit, read(list[next]))
      next += 1
      moveLimit()
    }
    return current
  }

  private mutating func rewind() {
    (next, start) = (1, .min)
    if let first = list.first { current = read(first) }
    moveLimit()
  }
}

extension PayerShare {
  package static let whole = PayerShare(numerator: 1, denominator: 1)
  package static let allowedDenominators = 1...1000

  /// A share of more than nothing and at most the whole; nil otherwise. Not reduced.
  package init?(_ numerator: Int, of denominator: Int) {
    guard PayerShare.allowedDenominators.contains(denominator), (1...denominator).contains(numerator) else {
      return nil
    }
    self.init(numerator: numerator, denominator: denominator)
  }

  /// The share of a price.
  @inline(__always)
  package func of(_ price: Decimal) -> ExactAmount {
    let amount = ExactAmount(price)
    guard numerator != denominator else { return amount }
    return amount.multiplied(by: Int128(numerator), over: Int128(denominator))
  }
}
