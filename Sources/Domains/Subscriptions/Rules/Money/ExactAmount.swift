import Values

/// An unrounded amount of money: a fraction, so that thirds and twelfths lose nothing and sums are rounded once, for
/// display.
///
/// Exact as long as the denominator stays below 10^15, as it does for practical cycles; beyond that in units of 10^−12.
/// Arithmetic saturates instead of trapping.
package struct ExactAmount: Sendable {
  /// In units of the currency, times the denominator.
  let numerator: Int128
  /// 1…10^15.
  let denominator: Int64

  /// The denominator of typed amounts, which have at most four decimals.
  static let defaultDenominator: Int64 = 10_000
  static let largestDenominator: Int64 = 1_000_000_000_000_000
  static let coarseDenominator: Int64 = 1_000_000_000_000

  package static let zero = ExactAmount(numerator: 0, denominator: defaultDenominator)

  @inline(__always)
  init(numerator: Int128, denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  @inline(__always)
  package init(_ decimal: Decimal) {
    let digits = decimal.scale <= 4 ? 4 : 9
    self.init(
      numerator: Int128(decimal.significand) * Int128(ExactAmount.power(digits - decimal.scale)),
      denominator: ExactAmount.power(digits))
  }

  /// 10 to a power in 0…9.
  @inline(__always)
  static func power(_ exponent: Int) -> Int64 {
    switch exponent {
    case 1: 10
    case 2: 100
    case 3: 1000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    case 8: 100_000_000
    case 9: 1_000_000_000
    default: 1
    }
  }

  package var isZero: Bool { numerator == 0 }

  package var negated: ExactAmount {
    let (value, overflow) = Int128(0).subtractingReportingOverflow(numerator)
    return ExactAmount(numerator: overflow ? .max : value, denominator: denominator)
  }

  /// The value in units of 10^−12, rounded half away from zero.
  private var coarse: ExactAmount {
    guard denominator != ExactAmount.coarseDenominator else { return self }
    return ExactAmount(
      numerator: units(of: ExactAmount.coarseDenominator), denominator: ExactAmount.coarseDenominator)
  }

  /// The value times `unit` (at most 10^12), rounded half away from zero to a whole number.
  func units(of unit: Int64) -> Int128 {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: Int128(denominator))
    // A remainder is less than 10^15, so that the product fits.
    let part = ExactAmount.quotient(rest * Int128(unit), Int128(denominator))
    let (product, overflow) = whole.multipliedReportingOverflow(by: Int128(unit))
    let (sum, overflowAgain) = product.addingReportingOverflow(part)
    return overflow || overflowAgain ? (numerator < 0 ? .min : .max) : sum
  }

  /// The value with `scale` decimals (0…9), rounded half away from zero, saturating at what `Decimal` holds.
  package func rounded(toScale scale: Int) -> Decimal {
    let scale = min(max(scale, 0), Decimal.maximumScale)
    let units = units(of: ExactAmount.power(scale))
    return Decimal(significand: Int64(clamping: units), scale: scale) ?? .zero
  }

  /// The same; nil when `Decimal` cannot hold it.
  func roundedExactly(toScale scale: Int) -> Decimal? {
    let scale = min(max(scale, 0), Decimal.maximumScale)
    return Int64(exactly: units(of: ExactAmount.power(scale))).flatMap { Decimal(significand: $0, scale: scale) }
  }

  /// The quotient rounded half away from zero; the divisor is positive.
  static func quotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
    return dividend < 0 ? quotient - 1 : quotient + 1
  }
}

extension ExactAmount {
  @inline(__always)
  package static func + (left: ExactAmount, right: ExactAmount) -> ExactAmount {
    if left.denominator == right.denominator {
      let (sum, overflow) = left.numerator.addingReportingOverflow(right.numerator)
      if !overflow { return ExactAmount(numerator: sum, denominator: left.denominator) }
    }
    return left.addingSlowly(right)
  }

  @inline(__always)
  package static func += (left: inout ExactAmount, right: ExactAmount) { left = left + right }

  package static func - (left: ExactAmount, right: ExactAmount) -> ExactAmount { left + right.negated }

  private func addingSlowly(_ other: ExactAmount) -> ExactAmount {
    let divisor = ExactAmount.greatestCommonDivisor(Int128(denominator), Int128(other.denominator))
    let common = Int128(denominator) / divisor * Int128(other.denominator)
    if let common = Int64(exactly: common), common <= ExactAmount.largestDenominator {
      let (left, overflow) = numerator.multipliedReportingOverflow(by: Int128(common / denominator))
      let (right, overflowOfRight) = other.numerator.multipliedReportingOverflow(by: Int128(common / other.denominator))
      let (sum, overflowOfSum) = left.addingReportingOverflow(right)
      if !overflow, !overflowOfRight, !overflowOfSum { return ExactAmount(numerator: sum, denominator: common) }
    }
    let (left, right) = (coarse.numerator, other.coarse.numerator)
    let (sum, overflow) = left.addingReportingOverflow(right)
    return ExactAmount(
      numerator: overflow ? (left < 0 ? .min : .max) : sum, denominator: ExactAmount.coarseDenominator)
  }

  /// The product with a fraction; zero when its denominator is not positive.
  package func multiplied(by factor: Int128, over divisor: Int128 = 1) -> ExactAmount {
    guard divisor > 0 else { return .zero }
    var (factor, divisor) = (factor, divisor)
    if divisor > 1 {
      let common = ExactAmount.greatestCommonDivisor(factor, divisor)
      factor /= common
      divisor /= common
    }
    let (product, overflow) = numerator.multipliedReportingOverflow(by: factor)
    let (wide, overflowOfWide) = Int128(denominator).multipliedReportingOverflow(by: divisor)
    if !overflow, !overflowOfWide {
      if wide <= Int128(ExactAmount.largestDenominator) {
        return ExactAmount(numerator: product, denominator: Int64(truncatingIfNeeded: wide))
      }
      let common = ExactAmount.greatestCommonDivisor(product, wide)
      if wide / common <= Int128(ExactAmount.largestDenominator) {
        return ExactAmount(numerator: product / common, denominator: Int64(truncatingIfNeeded: wide / common))
      }
    }
    return coarse.multipliedRoughly(by: factor, over: divisor)
  }

  /// The product of a value in units of 10^−12, rounded to such units.
  private func multipliedRoughly(by factor: Int128, over divisor: Int128) -> ExactAmount {
    let (product, overflow) = numerator.multipliedReportingOverflow(by: factor)
    if !overflow {
      return ExactAmount(numerator: ExactAmount.quotient(product, divisor), denominator: denominator)
    }
    let (rough, overflowAgain) = ExactAmount.quotient(numerator, divisor).multipliedReportingOverflow(by: factor)
    let limit: Int128 = (numerator < 0) == (factor < 0) ? .max : .min
    return ExactAmount(numerator: overflowAgain ? limit : rough, denominator: denominator)
  }

  /// The greatest common divisor, at least 1 (Euclid); the second number is positive.
  private static func greatestCommonDivisor(_ left: Int128, _ right: Int128) -> Int128 {
    var (a, b) = (left.magnitude, right.magnitude)
    while b != 0 { (a, b) = (b, a % b) }
    return max(Int128(clamping: a), 1)
  }
}

extension ExactAmount: Comparable {
  package static func == (left: ExactAmount, right: ExactAmount) -> Bool { !(left < right) && !(right < left) }

  package static func < (left: ExactAmount, right: ExactAmount) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let (whole, rest) = left.parts
    let (otherWhole, otherRest) = right.parts
    // Remainders are less than 10^15, so that the products fit.
    return whole != otherWhole
      ? whole < otherWhole : rest * Int128(right.denominator) < otherRest * Int128(left.denominator)
  }

  /// The whole units rounded down, and the non-negative remainder over the denominator.
  private var parts: (whole: Int128, rest: Int128) {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: Int128(denominator))
    return rest < 0 ? (whole - 1, rest + Int128(denominator)) : (whole, rest)
  }
}
