import CivilTime

extension Subscription {
  /// The first day from `end` on that leaves every charge where it is that was marked as paid: the day after the last of them, or
  /// `end` itself.
  package func endKeepingPayments(_ end: CivilDay) -> CivilDay {
    marks.compactMap { paidCharge($0)?.day }.max().map { max(end, $0.advanced(by: 1)) } ?? end
  }

  /// The charge of a mark that says it was paid.
  private func paidCharge(_ mark: ChargeMark) -> Charge? {
    mark.payment == nil ? nil : charge(of: mark.occurrence)
  }

  /// The charges marked as paid that would come had it no end, and do not.
  fileprivate var paymentsLeftOut: [Charge] {
    guard let end else { return [] }
    let going = cancelled(from: nil)
    return marks.compactMap { going.paidCharge($0) }.filter { $0.day >= end }
  }
}

extension SubscriptionProblem {
  /// What is wrong with an end before the day of something that was marked as paid, or with saying that something was which would
  /// come on the end or later; nil when nothing is. What `old` has left out already may stay so.
  package static func payment(leftOutOf new: Subscription, since old: Subscription?) -> SubscriptionProblem? {
    var lost = new.paymentsLeftOut
    guard !lost.isEmpty, let end = new.end else { return nil }
    let known = Set((old?.paymentsLeftOut ?? []).map(\.occurrence))
    lost.removeAll { known.contains($0.occurrence) }
    if let old, old.end == end {
      let (marks, days) = (Set(old.marks), Set(lost.map(\.occurrence)))
      let place = new.marks.firstIndex { days.contains($0.occurrence) && !marks.contains($0) }
      return place.map { place in
        SubscriptionProblem(
          "/marks/\(place)/payment", .conflict, "it is over since \(end)",
          allowed: "a payment of a charge before that day")
      }
    }
    return lost.map(\.day).max().map { last in
      SubscriptionProblem(
        "/end", .conflict, "the charge of \(last) is marked as paid", allowed: "\(last.advanced(by: 1)) or a later day")
    }
  }
}
