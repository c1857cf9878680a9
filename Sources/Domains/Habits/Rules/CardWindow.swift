import CivilTime

/// The days that a card shows: at most 30 values, ascending, the last for its last day. Days without data are gaps, but for the last
/// day, which is a transient zero then.
package struct CardWindow: Equatable, Sendable {
  /// How many days it reaches back, the last one included.
  package static let length = 30

  /// The days that may be the last: those of which the whole grid lies in the calendar.
  package static let lastDays =
    CivilDay.allowed.lowerBound.advanced(by: 47)...CivilDay.allowed.upperBound.advanced(by: -6)

  package private(set) var lastDay: CivilDay
  /// The days with data within the window, ascending; the transient zero is not among them.
  package private(set) var records: [HabitRecord]

  /// Opens a window. `fetch` gives what is known of a range of days, ascending.
  package init(
    lastDay: CivilDay, fetch: (ClosedRange<CivilDay>) -> ArraySlice<HabitRecord>
  ) {
    self.lastDay = lastDay
    records = Array(fetch(lastDay.advanced(by: 1 - CardWindow.length)...lastDay))
  }

  /// The first day that may have a value.
  package var firstDay: CivilDay { lastDay.advanced(by: 1 - CardWindow.length) }

  /// Moves it by days. Up to its length, only the days that enter are fetched, at whichever end; beyond, it is opened again.
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

  /// What is known of a day within the window; nil for nothing.
  package subscript(day: CivilDay) -> HabitRecord? { records.first { $0.day == day } }

  /// Every value that is shown, ascending; the last is of the last day.
  package var shown: [HabitRecord] {
    records.last?.day == lastDay ? records : records + [HabitRecord(lastDay, nil)]
  }

  /// Whether it has at most 30 values, none before the first day.
  package var isWithinThirty: Bool { shown.count <= CardWindow.length && records.allSatisfy { $0.day >= firstDay } }

  /// Whether its values are ascending, each day once.
  package var isAscending: Bool { zip(shown, shown.dropFirst()).allSatisfy { $0.day < $1.day } }

  /// Whether the last value is of the last day, and nothing is behind it.
  package var endsWithLastDay: Bool { shown.last?.day == lastDay && shown.allSatisfy { $0.day <= lastDay } }
}
