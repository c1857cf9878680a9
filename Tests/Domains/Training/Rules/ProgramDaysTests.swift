import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("The days of a program")
struct ProgramDaysTests {
  private func slot(_ number: Int, _ source: inout SeededGenerator, _ weeks: Int) -> ProgramSlot {
    let id = EntityID(high: 1, low: UInt64(number))
    let weekday = Weekday.known[source.below(7)]
    let replaces = source.once(in: 2) ? true : nil
    return switch source.below(4) {
    case 0: ProgramSlot(id: id, kind: .week, weekday: weekday, week: source.among(1...weeks), replaces: replaces)
    case 1: ProgramSlot(id: id, kind: .day, day: source.below(weeks * 7), replaces: replaces)
    default: ProgramSlot(id: id, kind: .weekly, weekday: weekday)
    }
  }

  @Test(
    "Random programs have the same days as a slow reference implementation",
    arguments: 0..<300 as Range<UInt64>)
  func slowly(seed: UInt64) throws {
    var source = SeededGenerator(seed: seed)
    let weeks = source.among(1...6)
    let slots = (0..<source.below(9)).map { slot($0, &source, weeks) }
    let start = try #require(CivilDay("2024-02-20")).advanced(by: source.below(20))
    let first = source.below(7)
    let days = ProgramDays(slots, weeks: weeks, from: start, firstWeekday: first)

    var begin = start
    while begin.weekdayIndex != first { begin = begin.advanced(by: -1) }
    var expected: [String] = []
    for number in 0..<weeks * 7 {
      let day = begin.advanced(by: number)
      guard day >= start else { continue }
      func isOn(_ slot: ProgramSlot) -> Bool {
        let isWeekday = slot.weekday.map { Weekday.known[day.weekdayIndex] == $0 } ?? false
        return switch slot.kind {
        case .weekly: isWeekday
        case .week: isWeekday && slot.week == number / 7 + 1
        default: slot.day.map { start.advanced(by: $0) == day } ?? false
        }
      }
      let there = slots.filter(isOn)
      let replaced = there.contains { $0.replaces == true }
      for slot in there where !(replaced && slot.kind == .weekly) {
        expected.append("\(day) \(number / 7 + 1) \(String(describing: slot.id))")
      }
    }
    #expect(days.entries.map { "\($0.day) \($0.week) \(String(describing: $0.slot.id))" } == expected)
    #expect(days.days == start...begin.advanced(by: weeks * 7 - 1))
  }

  @Test("Four weeks from a Wednesday have 25 days if weeks begin on Sunday, and 26 if on Monday")
  func middleOfWeek() throws {
    let start = try #require(CivilDay("2026-01-07"))
    #expect(ProgramDays([], weeks: 4, from: start, firstWeekday: 6).days.dayCount == 25)
    #expect(ProgramDays([], weeks: 4, from: start, firstWeekday: 0).days.dayCount == 26)
  }
}
