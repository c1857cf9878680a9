import CivilTime
import DaybookProtocol

/// When a subscription begins of which only a coming charge is known.
package struct KnownBeginning: Equatable, Sendable {
  /// The first day it can be charged on.
  package let start: CivilDay
  /// What its cycle would have today and has been; empty unless today is a day of the cycle.
  package let marks: [ChargeMark]

  /// The beginning by the next charge, which is the first that comes: the term has begun on the day after the day of the cycle
  /// before it, today at the earliest unless that lies ahead. Of what its cycle would have today the charge has been, so that it
  /// is in use and counts. Nil unless the day lies ahead.
  package init?(nextCharge: CivilDay, _ schedule: Schedule, today: CivilDay) {
    guard nextCharge > today else { return nil }
    let last = schedule.last(onOrBefore: nextCharge.advanced(by: -1)) ?? today.advanced(by: -1)
    start = last > today ? last.advanced(by: 1) : today
    marks = last == today ? [ChargeMark(occurrence: today, kind: .skipped)] : []
  }

  /// The beginning of what runs since `start`, is free before the day `free`, ends with the day `end`, and is first charged on
  /// `nextCharge`: of the days of its cycle before that none is charged.
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
