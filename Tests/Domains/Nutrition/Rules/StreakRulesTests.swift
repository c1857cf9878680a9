import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Streaks")
struct StreakRulesTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    /// From the Monday on; the last is today, or the day before when `todayIsNext`.
    let deficits: [Int?]
    /// Which of them is today.
    let today: Int
    let current: Int
    let longest: Int
    let part: StreakToday

    var testDescription: String { "\(deficits) on day \(today)" }
  }

  private static let vectors = [
    Vector(deficits: [500, 500, 100], today: 2, current: 2, longest: 2, part: .notMet),
    Vector(deficits: [500, 500, nil], today: 2, current: 2, longest: 2, part: .noData),
    Vector(deficits: [500, 500, 500], today: 2, current: 3, longest: 3, part: .met),
    Vector(deficits: [500, 499, 500], today: 2, current: 1, longest: 1, part: .met),
    Vector(deficits: [500, nil, 500], today: 2, current: 1, longest: 1, part: .met),
    Vector(deficits: [500, 500, 100, nil], today: 3, current: 0, longest: 2, part: .noData),
    Vector(deficits: [500, 500, 500, 100, 500], today: 4, current: 1, longest: 3, part: .met),
    Vector(deficits: [500, 500, 600, 600], today: 1, current: 2, longest: 2, part: .met),
    Vector(deficits: [nil, nil, 600, 600], today: 1, current: 0, longest: 0, part: .noData),
    Vector(deficits: [], today: 0, current: 0, longest: 0, part: .noData),
    Vector(deficits: [100], today: 0, current: 0, longest: 0, part: .notMet),
  ]

  @Test(
    "Today counts once it is met and breaks nothing; a miss or gap does; days to come count for none",
    arguments: vectors)
  func table(_ vector: Vector) {
    let streaks = StreakRules.streaks(
      SomeDays.with(deficits: vector.deficits), today: SomeDays.monday.advanced(by: vector.today),
      settings: SomeDays.settings)
    #expect(streaks.current.length == vector.current)
    #expect(streaks.longest.length == vector.longest)
    #expect(streaks.today == vector.part)
  }

  @Test("A streak has its days, and of equally long ones the latest is the longest")
  func ends() {
    let streaks = StreakRules.streaks(
      SomeDays.with(deficits: [500, 500, 0, 500, 500, 0]), today: SomeDays.monday.advanced(by: 20),
      settings: SomeDays.settings)
    #expect(streaks.current == Streak(length: 0))
    #expect(
      streaks.longest
        == Streak(length: 2, from: SomeDays.monday.advanced(by: 3), to: SomeDays.monday.advanced(by: 4)))
  }

  @Test("A fast meets the target, and a forgiven rest day does not")
  func fastAndRest() {
    let days = [SomeDays.day(0, consumed: nil, fasted: true), SomeDays.day(1, consumed: 2763)]
    let streaks = StreakRules.streaks(days, today: SomeDays.monday.advanced(by: 1), settings: SomeDays.settings)
    #expect(streaks.current.length == 1 && streaks.today == .notMet)
  }

  @Test("Streaks equal those counted day by day", arguments: 0..<100)
  func counting(_ seed: Int) {
    var random = SeededNumbers(seed: UInt64(seed))
    let deficits = (0..<40).map { _ -> Int? in
      switch Int.random(in: 0..<10, using: &random) {
      case 0: nil
      case 1, 2: 499
      default: 500
      }
    }
    let today = Int.random(in: 0..<45, using: &random)
    func met(_ index: Int) -> Bool { index >= 0 && index < 40 && deficits[index] == 500 }
    var current = met(today) ? 1 : 0
    var index = today - 1
    while met(index) { (current, index) = (current + 1, index - 1) }
    var (longest, run) = (0, 0)
    for index in 0...today {
      run = met(index) ? run + 1 : 0
      longest = max(longest, run)
    }
    let streaks = StreakRules.streaks(
      SomeDays.with(deficits: deficits), today: SomeDays.monday.advanced(by: today), settings: SomeDays.settings)
    #expect(streaks.current.length == current && streaks.longest.length == longest)
  }

  @Test(
    "Engagement counts days with data up to today",
    arguments: [
      (0, nil, 0), (1, "1 day · building", 1), (4, "4 days · building", 6), (5, "Engagement: 5 active days", 8),
      (59, "Engagement: 59 active days", 98), (60, "Engagement: 60 active days", 100),
      (90, "Engagement: 90 active days", 100),
    ] as [(Int, String?, Int)])
  func engagement(_ count: Int, _ text: String?, _ percentage: Int) {
    let days = SomeDays.with(deficits: [nil] + (0..<count).map { _ in 0 } + [500])
    let engagement = StreakRules.engagement(days, today: SomeDays.monday.advanced(by: count))
    #expect(engagement == Engagement(daysLogged: count, target: 60, percentage: percentage, text: text))
  }
}
