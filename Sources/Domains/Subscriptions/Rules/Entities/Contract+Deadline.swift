import CivilTime
import DaybookProtocol

extension Contract {
  /// The next last day on which notice can be given, at or after a day, and the end it is for; nil when there is none.
  ///
  /// Renewals and notice are counted from the day after the contract's end, so that month ends come back: a month after
  /// 30 November it ends on 31 December, and a month's notice for 28 February is given up to 31 January.
  package func deadline(onOrAfter day: CivilDay) -> (day: CivilDay, end: CivilDay)? {
    let after = end.advanced(by: 1)
    let notice = notice ?? CalendarSpan(0, .day)
    let first = after.advanced(back: notice).advanced(by: -1)
    guard first < day else { return (first, end) }
    guard let renewal else { return nil }
    let days = Schedule(anchor: after, cycle: .every(renewal.count, renewal.unit))
    // The end it belongs to is about a notice period later; clamped months may make it a few days less.
    var from = max(after.advanced(by: 1), day.advanced(by: notice).advanced(by: -3))
    while let next = days.first(onOrAfter: from) {
      let last = next.advanced(back: notice).advanced(by: -1)
      if last >= day { return (last, next.advanced(by: -1)) }
      from = next.advanced(by: 1)
    }
    return nil
  }
}
