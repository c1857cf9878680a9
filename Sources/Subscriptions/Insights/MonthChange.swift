import CivilTime
import Values

/// What a month cost more or less than the one before it, in one currency.
package struct MonthChange: Sendable, Equatable {
  /// The currency.
  package let currency: Currency
  /// The earlier month's total.
  package let before: Money
  /// The later month's total.
  package let after: Money
  /// How much more it is; negative when it is less.
  package let difference: Money
  /// The same in percent of the earlier month, with one digit after the point; nil when that cost nothing.
  package let percentage: Decimal?
}

extension MonthChange {
  /// From one month to another, ascending by currency.
  package static func between(_ before: MonthCosts, _ after: MonthCosts) -> [MonthChange] {
    Set(before.totals.currencies + after.totals.currencies).sorted().map { currency in
      let (old, new) = (before.totals[currency], after.totals[currency])
      return MonthChange(
        currency: currency, before: Money(rounding: old, currency), after: Money(rounding: new, currency),
        difference: Money(rounding: new - old, currency), percentage: Percentage.change(from: old, to: new))
    }
  }
}

/// Changes in percent.
enum Percentage {
  /// How much more the later is in percent of the earlier, rounded half away from zero to one digit after the point; nil when
  /// the earlier is nothing.
  static func change(from old: ExactAmount, to new: ExactAmount) -> Decimal? {
    guard ExactAmount.zero < old else { return nil }
    // (new − old) × 1000 / old, in tenths of a percent.
    let change = (new - old).multiplied(by: Int128(old.denominator) * 1000, over: old.numerator)
    return Decimal(significand: Int64(clamping: change.units(of: 1)), scale: 1)
  }
}
