import CivilTime

extension Subscription {
  /// The first day from `end` on that leaves every charge where it is that was marked as paid: the day after the last of them, or
  /// `end` itself.
  package func endKeepingPayments(_ end: CivilDay) -> CivilDay {
    let paid = marks.compactMap { mark in
      mark.payment == nil ? nil : charge(of: mark.occurrence)?.day
    }
    return paid.max().map { max(end, $0.advanced(by: 1)) } ?? end
  }
}
