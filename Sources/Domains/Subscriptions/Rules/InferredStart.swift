import DaybookProtocol

/// The start of a subscription of which only the next charge is known.
package struct InferredStart: Equatable, Sendable {
  /// The first day that can have a charge.
  package let start: CivilDay
  /// Skips the occurrences before the known charge.
  package let marks: [ChargeMark]

  /// The start before the next charge: its term began the day after the preceding occurrence, today at the earliest
  /// unless that is later. An occurrence that came up to today but is due later is skipped, so that the subscription is
  /// already active. Nil unless the charge is in the future.
  package init?(nextCharge: CivilDay, _ schedule: Schedule, today: CivilDay) {
    guard nextCharge > today else { return nil }
    let last = schedule.lastMoved(onOrBefore: nextCharge.advanced(by: -1))
    if let last, last.day > today {
      (start, marks) = (max(last.day, last.due).advanced(by: 1), [])
    } else {
      start = today
      marks = last.map { $0.due >= today ? [ChargeMark(occurrence: $0.day, kind: .skipped)] : [] } ?? []
    }
  }

  /// A subscription that runs since `start`, is free until `free`, ends on `end`, and is first charged on `nextCharge`:
  /// earlier occurrences are skipped.
  package init(
    running start: CivilDay, free: CivilDay?, until end: CivilDay?, nextCharge: CivilDay, _ schedule: Schedule
  ) {
    self.start = start
    let first = max(start, free ?? start)
    var days: [CivilDay] = []
    var last = schedule.lastMoved(onOrBefore: nextCharge.advanced(by: -1))
    while let (day, due) = last, due >= first, days.count <= SubscriptionLimits.marks {
      if end.map({ due < $0 }) ?? true { days.append(day) }
      last = schedule.lastMoved(onOrBefore: day.advanced(by: -1))
    }
    marks = days.reversed().map { ChargeMark(occurrence: $0, kind: .skipped) }
  }
}
