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
