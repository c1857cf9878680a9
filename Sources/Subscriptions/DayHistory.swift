import CivilTime
import Values

/// What something was, is and will be: each value holds from a day on, for ever for what comes on its days.
package struct DayHistory<Value: Hashable & Sendable>: Hashable, Sendable {
  /// A value from a day on.
  package struct Change: Hashable, Sendable {
    /// The first day it holds on.
    package var from: CivilDay
    /// What holds from then on.
    package var value: Value

    package init(from: CivilDay, value: Value) {
      self.from = from
      self.value = value
    }
  }

  /// What held before any change.
  package var first: Value
  /// What holds later, ascending by day; it may lie ahead.
  package var changes: [Change]

  package init(first: Value, changes: [Change] = []) {
    self.first = first
    self.changes = changes
  }

  /// What holds after all changes.
  package var last: Value { changes.last?.value ?? first }

  /// What holds on a day.
  package func value(on day: CivilDay) -> Value {
    changes.last { $0.from <= day }?.value ?? first
  }

  /// The history with another value from a day on, in place of what began on that day. It is no change where the value holds
  /// then anyhow. Later changes stay, the next also where it is to the same value: it was decided for its own day.
  package func changing(to value: Value, from day: CivilDay) -> DayHistory {
    var history = self
    history.changes.removeAll { $0.from == day }
    let place = history.changes.firstIndex { $0.from > day } ?? history.changes.endIndex
    if history.value(on: day) != value { history.changes.insert(Change(from: day, value: value), at: place) }
    return history
  }
}

/// What a subscription cost and will cost: a charge has the price of its own day for ever.
package typealias PriceHistory = DayHistory<Money>
/// A price of one cycle from a day on.
package typealias PriceChange = PriceHistory.Change

extension PriceHistory {
  /// The price of a day.
  package func price(on day: CivilDay) -> Money { value(on: day) }
}

extension PriceChange {
  /// The price of one cycle.
  package var price: Money { value }

  package init(from: CivilDay, price: Money) { self.init(from: from, value: price) }
}

/// The part of a subscription that one paid and will pay oneself: a charge has the share of its own day for ever.
package typealias ShareHistory = DayHistory<PayerShare>
/// A share from a day on.
package typealias ShareChange = ShareHistory.Change

extension ShareHistory {
  /// The share of a day.
  package func share(on day: CivilDay) -> PayerShare { value(on: day) }
}

/// The values of ascending days, without looking each up.
struct DayCursor<Value: Hashable & Sendable> {
  private let changes: [DayHistory<Value>.Change]
  private var next = 0
  private var current: Value
  /// The first day of the next value.
  private var limit = Int32.max

  @inline(__always)
  init(_ history: DayHistory<Value>) {
    changes = history.changes
    current = history.first
    limit = history.changes.first?.from.daysSinceEpoch ?? .max
  }

  /// What holds on a day that is not before the one asked for last.
  @inline(__always)
  mutating func value(on day: CivilDay) -> Value {
    while day.daysSinceEpoch >= limit, next < changes.count {
      current = changes[next].value
      next += 1
      limit = next < changes.count ? changes[next].from.daysSinceEpoch : .max
    }
    return current
  }
}
