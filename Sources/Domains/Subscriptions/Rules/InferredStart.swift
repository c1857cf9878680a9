import DaybookProtocol

/// The start of a subscription of which only the next charge is known.
package struct InferredStart: Equatable, Sendable {
  /// The first day that can have a charge.
  package let start: CivilDay
  /// Skips the occurrences before the known charge.
  package let marks: [ChargeMark]

  /// The start before the next charge: its term began the day after the preceding occurrence, today at the earliest
  /// unless that is later. A charge of today is skipped, so that the subscription is already active. Nil unless the
  /// charge is in the future.
  package init?(nextCharge: CivilDay, _ schedule: Schedule, today: CivilDay) {
    guard nextCharge > today else { return nil }
    let last = schedule.last(onOrBefore: nextCharge.advanced(by: -1)) ?? today.advanced(by: -1)
    start = last > today ? last.advanced(by: 1) : today
    marks = last == today ? [ChargeMark(occurrence: today, kind: .skipped)] : []
  }

  /// A subscription that runs since `start`, is free until `free`, ends on `end`, and is first charged on `nextCharge`:
  /// earlier occurrences are skipped.
  package init(
    running start: CivilDay, free: CivilDay?, until end: CivilDay?, nextCharge: CivilDay, _ schedule: Schedule
  ) {
    self.start = start
    let first = max(start, free ?? start)
    var days: [CivilDay] = []
    var day = schedule.last(onOrBefore: nextCharge.advanced(by: -1))
    while let skipped = day, skipped >= first, days.count <= SubscriptionLimits.marks {
      if end.map({ skipped < $0 }) ?? true { days.append(skipped) }
      day = schedule.last(onOrBefore: skipped.advanced(by: -1))
    }
    marks = days.reversed().map { ChargeMark(occurrence: $0, kind: .skipped) }
  }
}
