import CivilTime
import DaybookProtocol

extension ChargeMark {
  /// The day it comes on; nil when it is skipped.
  package var day: CivilDay? {
    switch kind {
    case .kept: occurrence
    case .shifted: shiftedTo
    default: nil
    }
  }

  /// Puts what was paid in the place of a price.
  func pay(_ price: inout Price) {
    guard let paidAmount else { return }
    price.amount = paidAmount
    if let currency = paidCurrency.flatMap({ Currency($0) }) { price.currency = currency }
  }

  /// The same with a price as what was paid, in all it does not say.
  package func paying(_ price: Price) -> ChargeMark {
    var paid = self
    paid.paidAmount = paidAmount ?? price.amount
    paid.paidCurrency = paidCurrency ?? price.currency.code
    return paid
  }

  /// Whether it says anything that the cycle does not.
  package var isTelling: Bool { kind != .kept || paidOn != nil }
}

extension [ChargeMark] {
  /// The place of the first at or after a day of the cycle: marks are ascending.
  func place(onOrAfter day: CivilDay) -> Int { partitioningIndex { $0.occurrence >= day } }

  /// The mark on a day of the cycle.
  package func mark(on occurrence: CivilDay) -> ChargeMark? {
    let place = place(onOrAfter: occurrence)
    return place < count && self[place].occurrence == occurrence ? self[place] : nil
  }
}
