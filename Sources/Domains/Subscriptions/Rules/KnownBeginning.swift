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
}
