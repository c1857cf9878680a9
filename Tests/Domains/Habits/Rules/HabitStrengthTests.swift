import CivilTime
import FileStoreTesting
import Pacing
import Testing

@testable import Habits

@Suite("The strength of a habit")
struct HabitStrengthTests {
  private func series(
    _ drawing: String, _ schedule: HabitPlan.Schedule = .daily, isBad: Bool = false, target: Int64 = 1
  )
    -> [Double]
  {
    HabitStrength.series(HabitTimeline(drawing, schedule, isBad: isBad, target: target))
  }

  private func percent(_ value: Double?) -> Double { ((value ?? -1) * 1000).rounded() / 10 }

  @Test(
    "Perfect daily use",
    arguments: [(1, 5.2), (7, 31.1), (13, 50), (14, 52.6), (21, 67.4), (30, 79.8), (60, 95.9), (90, 99.2)])
  func perfect(days: Int, expected: Double) {
    #expect(percent(series(String(repeating: "x", count: days)).last) == expected)
  }

  @Test("Misses after 30 perfect days", arguments: [(1, 75.7), (7, 54.9)])
  func misses(count: Int, expected: Double) {
    let drawing = String(repeating: "x", count: 30) + String(repeating: ".", count: count)
    #expect(percent(series(drawing + ".")[29 + count]) == expected)
  }

  @Test(
    "The part of the strength that a day keeps",
    arguments: [
      (HabitPlan.Schedule.daily, 0.9481), (.perWeek(3), 0.9657), (.perDays(times: 3, days: 7), 0.9657),
      (.perWeek(1), 0.9800), (.weekdays(0b100), 0.9800), (.everyDays(7), 0.9800), (.perMonth(1), 0.9903),
    ])
  func keeps(schedule: HabitPlan.Schedule, expected: Double) {
    // After a success nothing is done for longer than the window.
    let all = series("x" + String(repeating: ".", count: 100), schedule)
    #expect(((all[80] / all[79]) * 10_000).rounded() / 10_000 == expected)
  }

  @Test("A skipped day, a pause, and today until it is met leave it unchanged")
  func unchanged() {
    let all = series("xxs.")
    #expect(all[2] == all[1])
    #expect(all[3] == all[2])
    let paused = HabitStrength.series(
      HabitTimeline("xx..x", pauses: [monday.advanced(by: 2)...monday.advanced(by: 3)]))
    #expect(paused[3] == paused[1])
    #expect(paused[4] == series("xxx")[2])
  }

  @Test("Successes before a pause count after it", arguments: [HabitPlan.Schedule.perWeek(2), .everyDays(3)])
  func behindPauses(schedule: HabitPlan.Schedule) {
    let drawing = "x..x..x x..x..x ..x.x.. ..xx.x."
    let marks = drawing.filter { $0 != " " }
    let spliced = marks.prefix(14) + String(repeating: ".", count: 40) + marks.dropFirst(14)
    let pause = monday.advanced(by: 14)...monday.advanced(by: 53)
    let paused = HabitStrength.series(HabitTimeline(String(spliced), schedule, pauses: [pause]))
    #expect(Array(paused.prefix(14) + paused.dropFirst(54)) == series(drawing, schedule))
  }

  @Test("An amount below the target counts in proportion")
  func part() {
    let all = series("2.", target: 4)
    #expect(all[0] == series("x.")[0] / 2)
  }

  @Test("A bad habit starts at 1 and stays there while it is avoided")
  func bad() {
    #expect(series("000..", isBad: true, target: 3) == [1, 1, 1, 1, 1])
    #expect(series("222..", isBad: true, target: 3) == [1, 1, 1, 1, 1])
    #expect(series("3", isBad: true, target: 3)[0] < 1)
    #expect(series("9", isBad: true, target: 3)[0] < series("3", isBad: true, target: 3)[0])
  }

  @Test(
    "A bad habit on some days per week keeps its strength by those days",
    arguments: [HabitPlan.Schedule.perWeek(3)])
  func badByWeek(schedule: HabitPlan.Schedule) {
    let kept = String(repeating: "0990990", count: 10)
    #expect(series(kept, schedule, isBad: true, target: 3).allSatisfy { $0 == 1 })
    let lost = series(String(repeating: "0990999", count: 10), schedule, isBad: true, target: 3)
    #expect(lost.last.map { (0.6...0.9).contains($0) } == true)
  }

  @Test("A bad habit on fixed weekdays ignores the other days")
  func badOnWeekdays() {
    #expect(series("0000099 0000099 ", .weekdays(0b11111), isBad: true, target: 3).allSatisfy { $0 == 1 })
  }

  @Test("It is empty before the start")
  func before() {
    #expect(HabitStrength.series(HabitTimeline("", start: monday, today: monday.advanced(by: -1))).isEmpty)
  }

  @Test("Random yes-or-no habits have Loop's score", arguments: 0..<Histories.steps(100))
  func likeLoop(seed: Int) {
    var source = SeededGenerator(seed: 23, number: seed)
    let days = source.among(1...30)
    let times = source.among(1...days)
    let marks = (0..<120).map { _ in source.once(in: 10) ? Bool?.none : source.once(in: 2) }
    let drawing = String(marks.map { $0 == nil ? "s" : $0 == true ? "x" : "." } + ".")
    let expected = LoopReading.scores(times: times, days: days, marks: marks)
    let found = series(drawing, .perDays(times: times, days: days)).dropLast()
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == expected.count)
  }

  @Test("Random daily numeric habits have Loop's score", arguments: [false, true], 0..<Histories.steps(30))
  func likeLoopMeasured(isAtMost: Bool, seed: Int) {
    var source = SeededGenerator(seed: 29, number: seed)
    let target = source.among(1...6)
    let values = (0..<80).map { _ in source.once(in: 10) ? Int?.none : source.below(10) }
    let parts = values.map { value in
      value.map { value -> Double in
        let share = Double(value) / Double(target)
        return isAtMost ? min(1, max(0, 2 - share)) : min(1, share)
      }
    }
    let drawing = values.map { $0.map(String.init) ?? "s" }.joined() + "s"
    // Loop's maximum is one less than the value that fails.
    let found = series(drawing, isBad: isAtMost, target: Int64(isAtMost ? target + 1 : target)).dropLast()
    let expected = LoopReading.smooth(times: 1, days: 1, from: isAtMost ? 1 : 0, parts)
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 1e-9 } && found.count == expected.count)
  }
}
