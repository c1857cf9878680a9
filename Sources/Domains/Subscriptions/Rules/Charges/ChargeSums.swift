import CivilTime
import DaybookProtocol
import Values

/// What is charged on a day or in a month.
package struct ChargeSum: Sendable, Equatable {
  /// The day, or the first of the month.
  package let day: CivilDay
  /// How many charges there are.
  package let count: Int
  /// One's own part of the charges, by currency.
  package let totals: CurrencyTotals
}

extension MonthCosts {
  /// What the charges of a month come to.
  init(_ month: ChargeSum) { self.init(month: month.day, count: month.count, totals: month.totals.rounded) }
}

extension ChargeDay {
  /// What the charges of a day come to.
  package init(_ sum: ChargeSum) { self.init(day: sum.day, count: sum.count, totals: sum.totals.rounded) }
}

/// What charges come to by currency in a row of places, such as the days or months of a range, in one table.
struct ChargeSums {
  /// How many places there are.
  private let count: Int
  private var currencies: [Currency] = []
  /// Those of the first currency, then those of the second, and so on.
  private var amounts: [ExactAmount] = []
  /// How many charges there are at each place.
  private(set) var counts: [Int]
  /// Which currency was added last.
  private var latest = 0

  init(count: Int) {
    self.count = count
    counts = [Int](repeating: 0, count: count)
  }

  /// Adds one's own part of a charge at a place.
  @inline(__always)
  mutating func add(_ charge: PlannedCharge, at place: Int) {
    if latest >= currencies.count || currencies[latest] != charge.price.currency { find(charge.price.currency) }
    amounts[latest * count + place] += charge.cost
    counts[place] += 1
  }

  private mutating func find(_ currency: Currency) {
    if let found = currencies.firstIndex(of: currency) {
      latest = found
      return
    }
    latest = currencies.count
    currencies.append(currency)
    amounts += repeatElement(.zero, count: count)
  }

  /// What there is at a place, which is of a day, without currencies that come to nothing.
  func sum(at place: Int, of day: CivilDay) -> ChargeSum {
    var totals = CurrencyTotals()
    for (index, currency) in currencies.enumerated() {
      let amount = amounts[index * count + place]
      if !amount.isZero { totals.add(amount, currency) }
    }
    return ChargeSum(day: day, count: counts[place], totals: totals)
  }
}
