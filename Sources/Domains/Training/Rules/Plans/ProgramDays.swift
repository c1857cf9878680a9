import CivilTime
import DaybookProtocol
import Values

/// The days of a program. Week 1 is the week of the first day, however little of it is left; days before the first are left out.
package struct ProgramDays: Sendable {
  /// Something that a program has on a day.
  package struct Entry: Equatable, Sendable {
    package let slot: ProgramSlot
    package let day: CivilDay
    /// From 1.
    package let week: Int
  }

  /// From the first day to the end of the last week.
  package let days: ClosedRange<CivilDay>
  private let firstWeek: CivilDay
  private let slots: [ProgramSlot]

  /// - Parameter firstWeekday: On which day weeks begin, 0…6 from Monday.
  package init(_ slots: [ProgramSlot], weeks: Int, from start: CivilDay, firstWeekday: Int) {
    firstWeek = start.week(from: firstWeekday).lowerBound
    days = start...max(start, firstWeek.advanced(by: weeks * 7 - 1))
    self.slots = slots
  }

  /// The entries, ascending by day, then in the order of the slots. Where a slot of a week or a day replaces, the weekly ones are
  /// left out.
  ///
  /// - Complexity: Linear in the days times the slots of one weekday.
  package var entries: [Entry] {
    var weekly = [[Int]](repeating: [], count: 7)
    var single: [CivilDay: [Int]] = [:]
    for (place, slot) in slots.enumerated() {
      switch slot.kind {
      case .weekly: if let index = slot.weekdayIndex { weekly[index].append(place) }
      case .week:
        guard let index = slot.weekdayIndex, let week = slot.week else { continue }
        let offset = (index - firstWeek.weekdayIndex + 7) % 7
        single[firstWeek.advanced(by: (week - 1) * 7 + offset), default: []].append(place)
      case .day: if let day = slot.day { single[days.lowerBound.advanced(by: day), default: []].append(place) }
      case .unknown: continue
      }
    }
    return days.days.flatMap { day in
      let own = single[day] ?? []
      let isReplaced = own.contains { slots[$0].replaces == true }
      let places = isReplaced ? own : (own + weekly[day.weekdayIndex]).sorted()
      let week = (Int(day.daysSinceEpoch) - Int(firstWeek.daysSinceEpoch)) / 7 + 1
      return places.map { Entry(slot: slots[$0], day: day, week: week) }
    }
  }
}

extension ProgramSlot {
  /// 0 for Monday to 6 for Sunday.
  fileprivate var weekdayIndex: Int? { weekday.flatMap { Weekday.known.firstIndex(of: $0) } }
}
