import CivilTime
import Values

extension Subscription {
  /// Calls `body` with every charge whose day is in a range, ascending by day. What falls into a trial or a pause, before the
  /// start, on or after the end, or was skipped, is none; what was shifted falls on the day it comes on. O(1) to find the
  /// first, then for each.
  @inline(__always)
  package func visitCharges(in days: ClosedRange<CivilDay>, _ body: (Charge) -> Void) {
    ChargePlan(self).visitCharges(in: days, body)
  }

  /// The charges whose day is in a range, ascending by day.
  package func charges(in days: ClosedRange<CivilDay>) -> [Charge] {
    var charges: [Charge] = []
    visitCharges(in: days) { charges.append($0) }
    return charges
  }

  /// The first charge at or after a day, in whatever state.
  package func firstCharge(onOrAfter day: CivilDay) -> Charge? {
    ChargePlan(self).firstCharge(onOrAfter: day) { _ in true }
  }

  /// The next charge that is still to be paid, seen from today: never one of a day that is past. What is due today stays until
  /// the day is over, or until it is marked as paid. Nil when there is none up to 2200.
  package func nextCharge(today: CivilDay) -> Charge? {
    ChargePlan(self).firstCharge(onOrAfter: today) { !$0.isPaid }
  }

  /// The charge that a day of the cycle names; nil when there is none, or it was skipped.
  package func charge(of occurrence: CivilDay) -> Charge? { ChargePlan(self).charge(of: occurrence) }

  /// Whether something can be said about what a day of the cycle names: there is a charge, or it was skipped.
  package func hasCharge(of occurrence: CivilDay) -> Bool {
    charge(of: occurrence) != nil || unmarked.charge(of: occurrence) != nil
  }

  /// Without what was said of single charges.
  package var unmarked: Subscription {
    var plan = self
    plan.marks = []
    return plan
  }
}
