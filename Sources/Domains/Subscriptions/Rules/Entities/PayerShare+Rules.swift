import DaybookProtocol
import Values

extension PayerShare {
  /// All of it.
  package static let whole = PayerShare(numerator: 1, denominator: 1)
  /// What a denominator may be.
  package static let allowedDenominators = 1...1000

  /// Nil unless it is more than nothing, at most the whole, with a denominator of 1…1,000. Kept as given, not reduced.
  package init?(_ numerator: Int, of denominator: Int) {
    guard PayerShare.allowedDenominators.contains(denominator), (1...denominator).contains(numerator) else {
      return nil
    }
    self.init(numerator: numerator, denominator: denominator)
  }

  /// That part of a price.
  @inline(__always)
  package func of(_ price: Decimal) -> ExactAmount {
    let amount = ExactAmount(price)
    guard numerator != denominator else { return amount }
    return amount.multiplied(by: Int128(numerator), over: Int128(denominator))
  }
}
