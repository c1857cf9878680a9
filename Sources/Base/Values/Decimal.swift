/// A fixed-point decimal, `significand` · 10^−`scale`: exact, with at most nineteen digits, nine of them after the
/// point.
///
/// The scale keeps the digits as typed, so that "12.50" is written back as "12.50", but is not part of the value: 12.5
/// equals 12.50, and both hash alike. Arithmetic never traps; results that do not fit are nil.
package struct Decimal: Sendable {
  /// The digits without the point, any `Int64`.
  package let significand: Int64
  /// Digits after the point, 0…9.
  package let scale: Int

  /// The maximum number of digits after the point.
  package static let maximumScale = 9
  /// Zero, without a point.
  package static let zero = Decimal(0)

  /// A whole number.
  package init(_ integer: Int64) {
    significand = integer
    scale = 0
  }

  /// `significand` · 10^−`scale`; nil when the scale is not in 0…9.
  package init?(significand: Int64, scale: Int) {
    guard (0...Decimal.maximumScale).contains(scale) else { return nil }
    self.significand = significand
    self.scale = scale
  }

  /// Narrows a wide significand, dropping trailing zeros as needed; nil when it still does not fit.
  init?(wide: Int128, scale: Int) {
    var wide = wide
    var scale = scale
    while Int64(exactly: wide) == nil, scale > 0, wide % 10 == 0 {
      wide /= 10
      scale -= 1
    }
    guard let significand = Int64(exactly: wide) else { return nil }
    self.init(significand: significand, scale: scale)
  }

  /// 10 to a power in 0…18; 1 for other exponents.
  static func power(_ exponent: Int) -> Int64 {
    guard (0...18).contains(exponent) else { return 1 }
    var power: Int64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  /// The significand at a scale not less than this one's (and at most 9).
  func significand(atScale scale: Int) -> Int128 {
    Int128(significand) * Int128(Decimal.power(scale - self.scale))
  }

  /// Whether the value is negative.
  package var isNegative: Bool { significand < 0 }

  /// The same value without trailing zeros after the point.
  package var normalized: Decimal {
    var significand = significand
    var scale = scale
    while scale > 0, significand % 10 == 0 {
      significand /= 10
      scale -= 1
    }
    return Decimal(significand: significand, scale: scale) ?? self
  }
}

extension Decimal: Hashable, Comparable {
  /// Equality of the values: 12.5 is 12.50.
  package static func == (left: Decimal, right: Decimal) -> Bool {
    guard left.scale != right.scale else { return left.significand == right.significand }
    let scale = max(left.scale, right.scale)
    return left.significand(atScale: scale) == right.significand(atScale: scale)
  }

  /// Order of the values.
  package static func < (left: Decimal, right: Decimal) -> Bool {
    guard left.scale != right.scale else { return left.significand < right.significand }
    let scale = max(left.scale, right.scale)
    return left.significand(atScale: scale) < right.significand(atScale: scale)
  }

  package func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.significand)
    hasher.combine(normalized.scale)
  }
}
