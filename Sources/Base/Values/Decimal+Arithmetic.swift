extension Decimal {
  /// The exact sum, at the larger scale of the two where it fits; nil when it has too many digits.
  package func adding(_ other: Decimal) -> Decimal? {
    if scale == other.scale {
      // Fast path without wide numbers.
      let (sum, overflow) = significand.addingReportingOverflow(other.significand)
      if !overflow { return Decimal(significand: sum, scale: scale) }
    }
    let scale = max(scale, other.scale)
    return Decimal(wide: significand(atScale: scale) + other.significand(atScale: scale), scale: scale)
  }

  /// The exact difference, at the larger scale of the two where it fits; nil when it has too many digits.
  package func subtracting(_ other: Decimal) -> Decimal? {
    let scale = max(scale, other.scale)
    return Decimal(wide: significand(atScale: scale) - other.significand(atScale: scale), scale: scale)
  }

  /// The exact product with a whole number, at this scale where it fits; nil when it has too many digits.
  package func multiplied(by factor: Int64) -> Decimal? {
    Decimal(wide: Int128(significand) * Int128(factor), scale: scale)
  }

  /// The product with the fraction `numerator`/`denominator`, rounded once, half away from zero, to exactly `scale` digits
  /// after the point. Nil when the denominator is zero, the scale is not in 0…9, or the result has too many digits.
  package func multiplied(by numerator: Int64, over denominator: Int64, roundedTo scale: Int) -> Decimal? {
    guard denominator != 0, (0...Decimal.maximumScale).contains(scale) else { return nil }
    var dividend = Int128(significand) * Int128(numerator)
    var divisor = Int128(denominator)
    if scale >= self.scale {
      let (product, overflow) = dividend.multipliedReportingOverflow(by: Int128(Decimal.power(scale - self.scale)))
      guard !overflow else { return nil }
      dividend = product
    } else {
      divisor *= Int128(Decimal.power(self.scale - scale))
    }
    guard let significand = Int64(exactly: Decimal.quotient(dividend, divisor)) else { return nil }
    return Decimal(significand: significand, scale: scale)
  }

  /// The value with exactly `scale` digits after the point, rounded half away from zero. Nil when the scale is not in 0…9,
  /// or when the padding zeros do not fit.
  package func rounded(toScale scale: Int) -> Decimal? {
    multiplied(by: 1, over: 1, roundedTo: scale)
  }

  /// The value in units of 10^−`scale` (cents for 2), exactly; to drop digits, round first. Nil when it is not a whole
  /// number of units, when the scale is not in 0…9, or when it does not fit.
  package func units(ofScale scale: Int) -> Int64? {
    guard let rounded = rounded(toScale: scale), rounded == self else { return nil }
    return rounded.significand
  }

  /// The negated value; nil for the least significand, which has no counterpart.
  package var negated: Decimal? {
    let (value, overflow) = Int64(0).subtractingReportingOverflow(significand)
    return overflow ? nil : Decimal(significand: value, scale: scale)
  }

  /// The quotient rounded half away from zero; the divisor is neither zero nor near the ends of `Int128`.
  private static func quotient(_ dividend: Int128, _ divisor: Int128) -> Int128 {
    let (quotient, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
    // Magnitudes are unsigned and a remainder is less than its divisor, so this cannot overflow.
    guard rest.magnitude >= divisor.magnitude - rest.magnitude else { return quotient }
    return (dividend < 0) == (divisor < 0) ? quotient + 1 : quotient - 1
  }
}
