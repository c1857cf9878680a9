/// A fixed-point decimal: `significand` · 10^−`scale`. Exact, at most nineteen digits, nine of them after the point.
///
/// The scale is the number of digits after the point as typed, so that "12.50" comes back as "12.50". It is no part of the
/// value: 12.5 equals 12.50, and both hash alike. Nothing here traps; what does not fit is nil.
package struct Decimal: Sendable {
  /// The digits without the point, any `Int64`.
  package let significand: Int64
  /// Digits after the point, 0…9.
  package let scale: Int

  /// Digits after the point at most.
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

  /// The same out of a wide significand; when it does not fit, zeros at its end are given up. Nil when it still does not.
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

  /// 10 to a power in 0…18; one outside.
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

  /// Whether it is less than zero.
  package var isNegative: Bool { significand < 0 }

  /// The same value without zeros at the end of its fraction.
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

  /// Hashes the value, not the scale.
  package func hash(into hasher: inout Hasher) {
    let normalized = normalized
    hasher.combine(normalized.significand)
    hasher.combine(normalized.scale)
  }
}
