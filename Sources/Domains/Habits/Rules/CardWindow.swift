import CivilTime

/// The days of a card: at most 30 values, ascending, always including the last day. Days without data are gaps; on the
/// last day the missing value is a transient zero.
package struct CardWindow: Equatable, Sendable {
  /// The number of days, including the last.
  package static let length = 30

  /// The allowed last days: those whose whole grid is within the calendar.
  package static let lastDays =
    CivilDay.allowed.lowerBound.advanced(by: 47)...CivilDay.allowed.upperBound.advanced(by: -6)

  package private(set) var lastDay: CivilDay
  /// The days with data, ascending, without the transient zero.
  package private(set) var records: [HabitRecord]

  /// Opens a window. `fetch` returns the records of a range of days, ascending.
  package init(
    lastDay: CivilDay, fetch: (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord>
  ) {
    self.lastDay = lastDay
    records = Array(fetch(lastDay.advanced(by: 1 - CardWindow.length)...lastDay))
  }

  package var firstDay: CivilDay { lastDay.advanced(by: 1 - CardWindow.length) }

  /// Moves the window. Fetches only the days that enter, or the whole window when none remain.
  package mutating func shift(by days: Int, fetch: (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord>) {
    guard days != 0 else { return }
    let target = lastDay.advanced(by: days)
    guard abs(days) < CardWindow.length else {
      self = CardWindow(lastDay: target, fetch: fetch)
      return
    }
    if days > 0 {
      let entering = fetch(lastDay.advanced(by: 1)...target)
      lastDay = target
      let first = firstDay
      records = records.filter { $0.day >= first } + entering
    } else {
      let oldFirst = firstDay
      lastDay = target
      records = fetch(firstDay...oldFirst.advanced(by: -1)) + records.filter { $0.day <= target }
    }
  }

  /// The record of a day in the window.
  package subscript(day: CivilDay) -> HabitRecord? { records.first { $0.day == day } }

  /// All values shown, ascending; the last one is for the last day.
  package var shown: [HabitRecord] {
    records.last?.day == lastDay ? records : records + [HabitRecord(lastDay, nil)]
  }

  /// Whether it has at most 30 values, none before the first day.
  package var isWithinThirty: Bool { shown.count <= CardWindow.length && records.allSatisfy { $0.day >= firstDay } }

  /// Whether its days are strictly ascending.
  package var isAscending: Bool { zip(shown, shown.dropFirst()).allSatisfy { $0.day < $1.day } }

  /// Whether the last value is for the last day, and none is after it.
  package var endsWithLastDay: Bool { shown.last?.day == lastDay && shown.allSatisfy { $0.day <= lastDay } }
}
