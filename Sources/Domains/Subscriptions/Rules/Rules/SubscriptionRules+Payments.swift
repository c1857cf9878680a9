import DaybookProtocol

extension SubscriptionRules {
  /// Refuses an edit that loses a paid charge, or one shifted to before a new cycle, and refuses to mark a charge as
  /// paid from the end on; nil when nothing is wrong. What `old` already lost may stay lost. A correction loses charges
  /// only by an end; the marks of others wait until their charges return.
  package static func lostPayment(
    leftOutOf new: Subscription, since old: Subscription?, isCorrection: Bool = false
  ) -> Refusal? {
    if let problem = payment(pastEndOf: new, since: old) { return problem }
    guard !isCorrection, let old else { return nil }
    let lost = new.chargesLost(since: old)
    guard let last = lost.max(by: { $0.day < $1.day }) else { return nil }
    let message =
      last.isPaid
      ? "the charge of \(last.day) is marked as paid"
      : "the charge of \(last.occurrence) was shifted to \(last.day), before the new cycle"
    let (pointer, allowed) = new.cause(ofLosing: last, among: lost, since: old)
    return Refusal(pointer, .conflict, message, allowed: allowed)
  }

  /// Refuses new marks of charges that do not exist, and payments on impossible days; nil when nothing is wrong. Marks
  /// of `old` may stay.
  package static func markRefusal(of new: Subscription, since old: Subscription?, today: CivilDay) -> Refusal? {
    let marks = old?.markList ?? []
    for (place, mark) in new.markList.enumerated() {
      let before = marks.mark(on: mark.occurrence)
      if before == nil, !new.hasCharge(of: mark.occurrence) {
        return Refusal(
          "/marks/\(place)/occurrence", .conflict, "there is no charge on this day of the cycle: \(mark.occurrence)",
          allowed: new.nearestCharges(to: mark.occurrence))
      }
      guard let paidOn = mark.paidOn, paidOn != before?.paidOn else { continue }
      let day = mark.day ?? mark.occurrence
      let latest = today.advanced(by: SubscriptionLimits.daysPaidAhead)
      if day > latest {
        return Refusal(
          "/marks/\(place)/occurrence", .range, "the charge of \(day) is too far ahead to be paid",
          allowed: "a charge up to \(latest)")
      }
      let days = min(today, day).advanced(by: -SubscriptionLimits.daysPaidBefore)...max(today, day)
      if !days.contains(paidOn) {
        return Refusal(
          "/marks/\(place)/paidOn", .range, "the charge of \(day) cannot have been paid on \(paidOn)",
          allowed: "a day from \(days.lowerBound) to \(days.upperBound)")
      }
    }
    return nil
  }

  private static func payment(pastEndOf new: Subscription, since old: Subscription?) -> Refusal? {
    var lost = new.paymentsPastEnd
    guard !lost.isEmpty, let end = new.end else { return nil }
    let known = Set((old?.paymentsPastEnd ?? []).map(\.occurrence))
    lost.removeAll { known.contains($0.occurrence) }
    if let old, old.end == end {
      let (marks, days) = (old.markList, Set(lost.map(\.occurrence)))
      let place = new.markList.firstIndex { days.contains($0.occurrence) && marks.mark(on: $0.occurrence) != $0 }
      return place.map { place in
        Refusal(
          "/marks/\(place)/paidOn", .conflict, "it has been over since \(end)",
          allowed: "a payment of a charge before that day")
      }
    }
    let plan = ChargePlan(new)
    guard let last = lost.max(by: { plan.decidingDay(of: $0) < plan.decidingDay(of: $1) }) else { return nil }
    return Refusal(
      "/end", .conflict, "the charge of \(last.day) is marked as paid",
      allowed: "\(plan.decidingDay(of: last).advanced(by: 1)) or a later day")
  }
}

extension Subscription {
  /// The member that loses the last of some charges, and which values would keep all of them.
  fileprivate func cause(
    ofLosing last: PlannedCharge, among lost: [PlannedCharge], since old: Subscription
  ) -> (pointer: String, allowed: String) {
    let plan = ChargePlan(old)
    let (day, days) = (plan.decidingDay(of: last), lost.map(plan.decidingDay))
    if day < start { return ("/start", "\(Subscription.first(of: days)) or an earlier day") }
    if let trialEnd, day < trialEnd { return ("/trialEnd", "\(Subscription.first(of: days)) or an earlier day") }
    if let place = pauseList.firstIndex(where: { $0.contains(day) }) {
      let pause = pauseList[place]
      let (behind, first) = (day.advanced(by: 1), Subscription.first(of: days.filter(pause.contains)))
      if let until = pause.until, behind >= until, first > pause.from {
        return ("/pauses/\(place)/until", "\(first) or an earlier day")
      }
      return ("/pauses/\(place)/from", "\(behind) or a later day")
    }
    let behind = (old.paidCharges + lost).map { $0.occurrence.advanced(by: 1) }.max() ?? last.day
    return ("/cycle", "a cycle from \(behind) or a later day on")
  }

  private static func first(of days: [CivilDay]) -> CivilDay { days.min() ?? CivilDay.allowed.upperBound }
}
