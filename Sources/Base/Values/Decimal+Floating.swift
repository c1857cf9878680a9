extension Decimal {
  /// The decimal nearest to a binary number with at most `scale` digits after the point, rounded half away from zero,
  /// without trailing zeros. Nil when the number is not finite, the scale is not in 0…9, or it does not fit.
  package init?(rounding value: Double, toScale scale: Int) {
    guard (0...Decimal.maximumScale).contains(scale) else { return nil }
    let units = (value * Double(Decimal.power(scale))).rounded(.toNearestOrAwayFromZero)
    guard let significand = Int64(exactly: units), let decimal = Decimal(significand: significand, scale: scale) else {
      return nil
    }
    self = decimal.normalized
  }

  /// The nearest binary number.
  package var double: Double { Double(significand) / Double(Decimal.power(scale)) }
}
