import DaybookProtocol
import Testing

@testable import Habits

@Suite("Streaks of habits")
struct HabitStreakTests {
  @Test(
    "Streaks of a daily habit on its last day",
    arguments: [
      (".", "0 of 0"), ("x", "1 of 1"), ("xx.", "2 at risk of 2"), (".xx", "2 of 2"), ("xx.x", "1 of 2"),
      ("xx..", "0 of 2"), ("xxx.x.", "1 at risk of 3"), ("xsx", "2 of 2"), ("xs", "1 of 1"), ("xss.", "1 at risk of 1"),
      ("sss", "0 of 0"), ("x.s", "0 of 1"),
    ])
  func daily(drawing: String, expected: String) {
    #expect(HabitTimeline(drawing).standing == expected)
  }

  @Test("On Monday, Wednesday and Friday, done on the first two", arguments: [(4, "2 of 2"), (5, "2 at risk of 2")])
  func weekdays(days: Int, expected: String) {
    #expect(HabitTimeline(String("x.x..".prefix(days)), .weekdays(0b10101)).standing == expected)
  }

  @Test("Days that are not due neither break nor extend")
  func notDue() {
    #expect(HabitTimeline("xxxxx.. xxxxx.. x", .weekdays(0b11111)).standing == "11 of 11")
    #expect(HabitTimeline("xxxxxxx xxxxx.. x", .weekdays(0b11111)).standing == "11 of 11")
    #expect(HabitTimeline("x..x..x..", .everyDays(3)).standing == "3 of 3")
    #expect(HabitTimeline("x..x.x.", .everyDays(3)).standing == "2 at risk of 2")
    #expect(HabitTimeline("x..x.x..", .everyDays(3)).standing == "0 of 2")
  }

  @Test(
    "Streaks of a habit on three days a week",
    arguments: [
      ("x.x.x..", "1 of 1"), ("x.x.x.. .", "1 at risk of 1"), ("x.x.x.. xx", "1 at risk of 1"),
      ("x.x.x.. xxx", "2 of 2"), ("x.x.x.. xx..... .", "0 of 1"), ("xxxxxxx xxxxxxx", "2 of 2"),
      // No more days are required than count.
      ("x.x.x.. xxsssss .", "2 at risk of 2"), ("x.x.x.. sssssss .", "1 at risk of 1"), ("x.x.x.. sssssss", "1 of 1"),
    ])
  func byWeek(drawing: String, expected: String) {
    let timeline = HabitTimeline(drawing, .perWeek(3))
    #expect(timeline.standing == expected)
    #expect(timeline.streakUnit == .weeks)
  }

  @Test("Weeks begin on the user's first day of the week")
  func sunday() {
    // Sunday is 2026-01-11: the same days are three of one week, or two and one of two.
    let drawing = "....xxx xx..... ."
    #expect(HabitTimeline(drawing, .perWeek(3), firstWeekday: 0).standing == "0 of 1")
    #expect(HabitTimeline(drawing, .perWeek(3), firstWeekday: 6).streaks().summary.current == 1)
    #expect(
      HabitTimeline(drawing, .perWeek(3), firstWeekday: 6).streaks().all == [
        HabitStreak(from: day("2026-01-11"), to: day("2026-01-17"), length: 1)
      ])
  }

  @Test("Days skipped ahead in the current week are not required")
  func ahead() {
    let plan = HabitPlan(schedule: .perWeek(7), start: monday)
    let records = (0..<6).map { HabitRecord(monday.advanced(by: $0), 1000) }
    let history = HabitHistory(records + [HabitRecord(monday.advanced(by: 6), nil, isSkipped: true)])
    let timeline = HabitTimeline(plan, history, today: monday.advanced(by: 5), firstWeekday: 0)
    #expect(timeline.standing == "1 of 1")
  }

  @Test("Streaks by calendar month, including a leap day")
  func byMonth() {
    let drawing = String(repeating: "x", count: 29) + String(repeating: "x", count: 31) + "."
    let timeline = HabitTimeline(drawing, .perMonth(29), start: day("2024-02-01"))
    #expect(timeline.standing == "2 at risk of 2")
    #expect(timeline.streaks().all.first?.to == day("2024-03-31"))
    #expect(HabitTimeline(drawing, .perMonth(30), start: day("2023-02-01")).standing == "2 at risk of 2")
    #expect(HabitTimeline("x", start: day("2024-02-28"), today: day("2024-02-29")).standing == "1 at risk of 1")
    #expect(HabitTimeline("x", start: day("2024-02-28"), today: day("2024-03-01")).standing == "0 of 1")
  }

  @Test("For two days in five, days within a sufficient interval count")
  func byInterval() {
    let timeline = HabitTimeline("x..x... ..", .perDays(times: 2, days: 5))
    #expect(timeline.streaks().all == [HabitStreak(from: monday, to: monday.advanced(by: 4), length: 5)])
    #expect(timeline.streaks().breaks == (5..<8).map { monday.advanced(by: $0) })
    #expect(HabitTimeline("x..x..", .perDays(times: 2, days: 5)).standing == "5 at risk of 5")
    // A skipped day within one is neutral.
    #expect(HabitTimeline("x.sx.", .perDays(times: 2, days: 5)).standing == "4 of 4")
  }

  @Test("Future successes do not cover days yet")
  func aheadInInterval() {
    let plan = HabitPlan(schedule: .perDays(times: 2, days: 5), start: monday)
    let history = HabitHistory([0, 3].map { HabitRecord(monday.advanced(by: $0), 1000) })
    let today = monday.advanced(by: 1)
    for through in [today, today.advanced(by: 9)] {
      let timeline = HabitTimeline(plan, history, today: today, firstWeekday: 0, through: through)
      #expect(timeline.streaks().all.map(\.length) == [1])
    }
  }

  @Test("A pause is neutral, and nothing is at risk on it")
  func paused() {
    let pause = monday.advanced(by: 2)...monday.advanced(by: 4)
    #expect(HabitTimeline("xx...x", pauses: [pause]).standing == "3 of 3")
    #expect(HabitTimeline("xx..", pauses: [pause]).standing == "2 of 2")
    #expect(HabitTimeline("xx....", pauses: [pause]).standing == "2 at risk of 2")
    #expect(HabitTimeline("xx.x..", pauses: [pause]).standing == "2 at risk of 2")
    let week = monday.advanced(by: 7)...monday.advanced(by: 13)
    #expect(HabitTimeline("x.x.x.. ....... x.x.x..", .perWeek(3), pauses: [week]).standing == "2 of 2")
    #expect(HabitTimeline("x.x.x.. ..", .perWeek(3), pauses: [week]).standing == "1 of 1")
  }

  @Test(
    "A week cut by a pause breaks no streak that its paused days could have saved, and counts if enough was done",
    arguments: [
      // Paused from Wednesday on: nothing was required.
      ("x.x.x.. ....... x", 9...13, "1 at risk of 1"), ("x.x.x.. xx..... x", 9...13, "2 at risk of 2"),
      ("x.x.x.. x...... x", 9...13, "1 at risk of 1"),
      // Paused on Sunday: that day could have been the third success, but not the second and third.
      ("x.x.x.. xx..... x", 13...13, "2 at risk of 2"), ("x.x.x.. x...... x", 13...13, "0 of 1"),
      // Without a pause it breaks.
      ("x.x.x.. xx..... x", 20...20, "0 of 1"),
    ])
  func cut(drawing: String, days: ClosedRange<Int>, expected: String) {
    let pause = monday.advanced(by: days.lowerBound)...monday.advanced(by: days.upperBound)
    #expect(HabitTimeline(drawing, .perWeek(3), pauses: [pause]).standing == expected)
  }

  @Test("The streak of an ended or archived habit is kept")
  func over() {
    #expect(HabitTimeline("xxx....", end: monday.advanced(by: 2)).standing == "3 of 3")
    #expect(HabitTimeline("xx.....", end: monday.advanced(by: 2)).standing == "0 of 2")
    #expect(HabitTimeline("xxx....", archivedDay: monday.advanced(by: 3)).standing == "3 of 3")
    #expect(HabitTimeline("x.x.x.. xx", .perWeek(3), archivedDay: monday.advanced(by: 8)).standing == "2 of 2")
  }

  @Test("Logs before the start do not count, nor does a habit that has not begun")
  func beforeStart() {
    let plan = HabitPlan(start: monday)
    let history = HabitHistory((-3..<1).map { HabitRecord(monday.advanced(by: $0), 1000) })
    #expect(HabitTimeline(plan, history, today: monday, firstWeekday: 0).standing == "1 of 1")
    #expect(HabitTimeline(plan, history, today: monday.advanced(by: -1), firstWeekday: 0).standing == "0 of 0")
    let weekly = HabitPlan(schedule: .perWeek(1), start: monday.advanced(by: 3))
    #expect(HabitTimeline(weekly, history, today: monday, firstWeekday: 0).standing == "0 of 0")
  }

  @Test(
    "A bad habit is met while below its target; reaching the target breaks it at once",
    arguments: [
      ("0", "1 of 1"), ("", "0 of 0"), ("...", "3 of 3"), ("023", "0 of 2"), ("0231", "1 of 2"), ("3s.", "1 of 1"),
    ])
  func bad(drawing: String, expected: String) {
    let today = drawing.isEmpty ? monday.advanced(by: -1) : nil
    #expect(HabitTimeline(drawing, isBad: true, target: 3, today: today).standing == expected)
  }

  @Test("A bad habit with target 1 fails at one")
  func never() {
    #expect(HabitTimeline("0", isBad: true).standing == "1 of 1")
    #expect(HabitTimeline("01", isBad: true).standing == "0 of 1")
  }

  @Test("Several streaks are reported with their days and breaks")
  func all() {
    let streaks = HabitTimeline("xx.xxx..").streaks()
    #expect(
      streaks.all == [
        HabitStreak(from: monday, to: monday.advanced(by: 1), length: 2),
        HabitStreak(from: monday.advanced(by: 3), to: monday.advanced(by: 5), length: 3),
      ])
    #expect(streaks.breaks == [2, 6].map { monday.advanced(by: $0) })
    #expect(streaks.summary.currentFrom == nil)
  }

  @Test("Random streaks match a second implementation", arguments: 0..<20)
  func byChance(batch: Int) {
    for number in 0..<SlowHabit.perBatch {
      let habit = SlowHabit(seed: UInt64(batch * 10_000 + number))
      let (streaks, expected) = (habit.timeline.streaks(), habit.streaks())
      guard
        streaks.summary.current != expected.current || streaks.summary.longest != expected.longest
          || streaks.breaks != expected.breaks || streaks.all.map(\.length).max() ?? 0 != expected.longest
      else { continue }
      Issue.record("seed \(batch * 10_000 + number): \(habit.plan) \(streaks.summary) \(expected)")
    }
  }
}

@Suite("Milestones")
struct MilestoneTests {
  @Test("Lengths that are announced")
  func lengths() {
    let announced = (0...800).filter(Milestones.contains)
    #expect(announced == [3, 7, 14, 21, 30, 50, 75, 100, 200, 300, 365, 400, 500, 600, 700, 730, 800])
  }

  @Test("The next milestone is the least above a length", arguments: [-5, 0, 3, 99, 100, 364, 365, 700, 729, 10_000])
  func next(length: Int) {
    #expect(Milestones.next(after: length) == (max(0, length) + 1...20_000).first(where: Milestones.contains))
  }

  @Test("No length is too long")
  func most() {
    #expect(Milestones.next(after: .max) > 100_000)
  }
}
