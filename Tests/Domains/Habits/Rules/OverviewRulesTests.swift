import DaybookClientCodecs
import DaybookProtocol
import Testing

@testable import Habits

@Suite("The overview of habits")
struct OverviewRulesTests {
  private func overview(
    _ timelines: [HabitTimeline], _ first: Int = 0, _ last: Int = 6, categories: [EntityID?] = [], firstWeekday: Int = 0
  ) -> HabitsOverviewResult {
    let habits = timelines.enumerated().map { number, timeline in
      (Habit(number: number, category: number < categories.count ? categories[number] : nil), timeline)
    }
    return OverviewRules.overview(
      habits, monday.advanced(by: first)...monday.advanced(by: last),
      categories: PredefinedCategories.all(at: Instant(milliseconds: 0)),
      today: timelines.first?.today ?? monday.advanced(by: 6), firstWeekday: firstWeekday, revision: 7)
  }

  @Test("The overview without habits is empty")
  func empty() {
    let expected = HabitsOverviewResult(
      from: monday, to: monday.advanced(by: 6), rate: HabitRate(done: 0, expected: 0),
      comparison: RateComparison(previous: HabitRate(done: 0, expected: 0)), days: [], perfectDays: 0, perfectStreak: 0,
      longestPerfectStreak: 0, trend: .stable, habits: [], categories: [], pattern: WeeklyPattern(gate: .tooFewDays),
      revision: 7)
    #expect(overview([]).json == expected.json)
  }

  @Test("Perfect days met everything that counts; days without anything due are ignored")
  func perfect() {
    // Both on Mondays to Fridays: the weekend does not count.
    let schedule = HabitPlan.Schedule.weekdays(0b11111)
    let overview = overview(
      [HabitTimeline("xx.xx.. x.", schedule), HabitTimeline("xxxxx.. xx", schedule)], 0, 8)
    #expect(overview.days.map(\.day) == [0, 1, 2, 3, 4, 7, 8].map { monday.advanced(by: $0) })
    #expect(overview.days.map(\.rate.text) == ["2/2", "2/2", "1/2", "2/2", "2/2", "2/2", "1/2"])
    #expect(overview.days.map(\.perfect) == [true, true, false, true, true, true, false])
    #expect(overview.perfectDays == 5)
    // Today is undecided and cannot fail.
    #expect(overview.consistency == 83)
    #expect((overview.perfectStreak, overview.longestPerfectStreak) == (3, 3))
    #expect(overview.trend == .improving)
  }

  @Test("An imperfect day ends the streak, except today")
  func rows() {
    let open = overview([HabitTimeline("xxxx.x.")])
    #expect((open.perfectStreak, open.longestPerfectStreak, open.trend) == (1, 4, .declining))
    let over = overview([HabitTimeline("xxxx.x. x")])
    #expect((over.perfectStreak, over.longestPerfectStreak) == (0, 4))
  }

  @Test("Habits and categories have the rates of their habits, in order")
  func shares() {
    let (health, social) = (PredefinedCategories.id(0), PredefinedCategories.id(3))
    let overview = overview(
      [
        HabitTimeline("x.x.x.. ."), HabitTimeline("xxxxx.. ."),
        HabitTimeline("xxxxxxx .", start: monday.advanced(by: 30), today: monday.advanced(by: 7)),
        HabitTimeline("....... .", .perWeek(2)), HabitTimeline("xxxx... ."),
      ], categories: [social, health, health, EntityID(high: 9, low: 9), social])
    #expect(overview.habits.map(\.habitId.low) == [0, 1, 3, 4])
    #expect(overview.habits.map(\.rate.text) == ["3/7", "5/7", "0/2", "4/7"])
    #expect(overview.habits.map(\.doingWell) == [false, true, false, true])
    #expect(overview.categories.map(\.categoryId) == [health, social, nil])
    #expect(overview.categories.map(\.rate.text) == ["5/7", "7/14", "0/2"])
    #expect(overview.rate.text == "12/23")
    #expect(overview.comparison.change == nil)
  }

  @Test("The preceding range has the same length")
  func comparison() {
    let overview = overview([HabitTimeline("x...... xxx.... .")], 7, 13)
    #expect(overview.comparison == RateComparison(previous: HabitRate(done: 1, expected: 7), change: 42 - 14))
  }

  @Test("More than half is doing well, half is not")
  func doingWell() {
    #expect(overview([HabitTimeline("xxx... .")], 0, 5).habits.map(\.doingWell) == [false])
    #expect(overview([HabitTimeline("xxxx.. .")], 0, 5).habits.map(\.doingWell) == [true])
  }

  @Test("The first unmet gate of a weekly pattern is reported")
  func gates() {
    func gate(_ drawings: [String], _ last: Int = 6) -> PatternGate? {
      overview(drawings.map { HabitTimeline($0) }, 0, last).pattern.gate
    }
    #expect(gate(["xxxx... .", "xxxx... ."]) == .tooFewDays)
    #expect(gate(["xxxxx.. .", "xxxxx.. ."]) == nil)
    #expect(gate(["xx", "xx"], 1) == .tooFewDays)
    // Today, a Sunday, counts no worse than the other days until it is over.
    #expect(gate(["xxxxxx.", "xxxxxx."]) == .tooEven)
    #expect(gate(["00000.. .", "00000x. ."]) == .lowRate)
    #expect(gate(["xxxxx.. ."]) == .tooFewHabits)
    #expect(gate(["xxxxxxx .", "xxxxxxx ."]) == .tooEven)
    let month = String(repeating: "x......", count: 4) + "xxx."
    #expect(gate([month, month], 30) == .tooFewDays)
    // Longer ranges need 30 days, whatever share that is.
    let two = String(repeating: "xxxxx..", count: 8)
    #expect(gate([two + ".", two + "."], 55) == nil)
    #expect(gate([String(two.prefix(38)), String(two.prefix(38))], 37) == .tooFewDays)
  }

  @Test("Ten points apart count as even; fifteen are meaningful, unless the best is near 100 %")
  func spread() {
    /// Twenty habits on Mondays and Tuesdays over thirty weeks, of which the given percentage is missed.
    func pattern(_ tuesdays: Int, _ mondays: Int) -> WeeklyPattern {
      let rows = (0..<20).map { row in
        (0..<30).map { week in
          (week * 20 + row < mondays * 6 ? "." : "x") + (week * 20 + row < tuesdays * 6 ? "." : "x") + "....."
        }.joined() + "."
      }
      return overview(rows.map { HabitTimeline($0, .weekdays(0b11)) }, 0, 209).pattern
    }
    #expect(pattern(10, 0).gate == .tooEven)
    let eleven = pattern(11, 0)
    #expect(eleven.gate == nil && eleven.meaningful == false)
    #expect((eleven.best, eleven.worst) == (.monday, .tuesday))
    #expect(eleven.weekdays?.map(\.rate.text) == ["600/600", "534/600", "0/0", "0/0", "0/0", "0/0", "0/0"])
    #expect(pattern(20, 5).meaningful == false)
    #expect(pattern(21, 6).meaningful == true)
    #expect(pattern(20, 6).meaningful == false)
  }

  @Test("Weekdays start with the user's first one")
  func firstWeekday() {
    let pattern = overview([HabitTimeline("xxxxx.. ."), HabitTimeline("xxxx... .")], firstWeekday: 6).pattern
    #expect(pattern.weekdays?.map(\.weekday).first == .sunday)
    #expect((pattern.best, pattern.worst) == (.monday, .sunday))
    #expect(pattern.meaningful == false)
  }
}
