import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Habits

/// A window over a history, with the days fetched for it.
private struct WatchedWindow {
  var window: CardWindow
  let history: HabitHistory
  private(set) var fetched: [ClosedRange<CivilDay>] = []

  init(_ history: HabitHistory, lastDay: CivilDay) {
    self.history = history
    window = CardWindow(lastDay: lastDay) { history[$0] }
  }

  mutating func shift(by days: Int) {
    var asked: [ClosedRange<CivilDay>] = []
    window.shift(by: days) { range in
      asked.append(range)
      return history[range]
    }
    fetched += asked
  }
}

@Suite("The window of a card")
struct CardWindowTests {
  private let filled = HabitHistory(
    (day("2025-06-17")...day("2025-08-15")).days.map { HabitRecord($0, Thousandths.one) })

  @Test("A shift by a day fetches the one day that enters, at whichever end")
  func fetchesOneDay() {
    var card = WatchedWindow(filled, lastDay: day("2025-08-01"))
    card.shift(by: 1)
    card.shift(by: -1)
    card.shift(by: -1)
    #expect(
      card.fetched == [
        day("2025-08-02")...day("2025-08-02"), day("2025-07-03")...day("2025-07-03"),
        day("2025-07-02")...day("2025-07-02"),
      ])
  }

  @Test("A step back fetches the oldest day: the sum of a filled window stays 30")
  func stepBack() {
    var card = WatchedWindow(filled, lastDay: day("2025-08-15"))
    let plan = HabitPlan(start: day("2025-01-01"))
    #expect(CardRules(plan, card.window, filled).period(30).value == Decimal(30))
    for _ in 0..<29 {
      card.shift(by: -1)
      #expect(CardRules(plan, card.window, filled).period(30).value == Decimal(30))
    }
  }

  @Test("Sparse days older than the window do not stay in it going forward")
  func sparseForward() {
    let sparse = HabitHistory([HabitRecord(day("2025-07-01"), 1000), HabitRecord(day("2025-07-20"), 2000)])
    var card = WatchedWindow(sparse, lastDay: day("2025-07-25"))
    for _ in 0..<10 { card.shift(by: 1) }
    #expect(card.window.records.map(\.day) == [day("2025-07-20")])
  }

  @Test("Without data a window has only the last day's transient zero")
  func transientZero() {
    let card = CardWindow(lastDay: day("2025-07-25")) { HabitHistory()[$0] }
    #expect(card.shown == [HabitRecord(day("2025-07-25"), nil)])
    #expect(card.isWithinThirty && card.isAscending && card.endsWithLastDay)
  }

  @Test("Any walk equals a freshly opened window, and keeps the three assertions", arguments: 0..<40)
  func anyWalk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // Includes a leap day, a clock change and a new year.
    let start = day("2024-02-20")
    var history = HabitHistory()
    var lastDay = start.advanced(by: Int(random.next() % 400))
    var window = CardWindow(lastDay: lastDay) { history[$0] }
    for _ in 0..<300 {
      switch random.next() % 8 {
      case 0:
        let changed = start.advanced(by: Int(random.next() % 420))
        history[changed] = random.next() % 3 == 0 ? nil : HabitRecord(changed, Int64(random.next() % 5000))
        // A card follows a change by rereading its window.
        window = CardWindow(lastDay: lastDay) { history[$0] }
      case 1:
        let steps = Int(random.next() % 200) - 100
        lastDay = lastDay.advanced(by: steps)
        window.shift(by: steps) { history[$0] }
      case 2, 3, 4:
        lastDay = lastDay.advanced(by: 1)
        window.shift(by: 1) { history[$0] }
      default:
        lastDay = lastDay.advanced(by: -1)
        window.shift(by: -1) { history[$0] }
      }
      #expect(window == CardWindow(lastDay: lastDay) { history[$0] })
      #expect(window.isWithinThirty && window.isAscending && window.endsWithLastDay)
    }
  }
}

@Suite("The contents of a card")
struct CardRulesTests {
  private let last = day("2025-08-15")

  private func rules(_ plan: HabitPlan, _ values: [Int: Int64]) -> CardRules {
    let records = values.map { HabitRecord(last.advanced(by: -$0.key), $0.value * 1000) }.sorted { $0.day < $1.day }
    let history = HabitHistory(records)
    return CardRules(plan, CardWindow(lastDay: last) { history[$0] }, history)
  }

  private func plan(isBad: Bool = false, target: Int64 = 3) -> HabitPlan {
    HabitPlan(isBad: isBad, target: target * 1000, start: day("2025-01-01"))
  }

  private func expect(
    _ rules: CardRules, _ daily: (Int64, Int64, Bool), _ weekly: (Int64, Int64, Bool), _ monthly: (Int64, Int64, Bool)
  ) {
    for (days, wanted) in [(1, daily), (7, weekly), (30, monthly)] {
      let period = rules.period(days)
      #expect(period.value == Decimal(wanted.0) && period.target == Decimal(wanted.1) && period.completed == wanted.2)
    }
  }

  @Test("Sums are compared with 1, 7 and 30 targets, for good and bad habits (reference §19)")
  func vectors() {
    expect(rules(plan(), [:]), (0, 3, false), (0, 21, false), (0, 90, false))
    expect(
      rules(plan(), Dictionary(uniqueKeysWithValues: (0..<7).map { ($0, 3) })), (3, 3, true), (21, 21, true),
      (21, 90, false))
    expect(rules(plan(), [3: 21]), (0, 3, false), (21, 21, true), (21, 90, false))
    expect(rules(plan(isBad: true), [:]), (0, 3, true), (0, 21, true), (0, 90, true))
    expect(rules(plan(isBad: true), [0: 3]), (3, 3, false), (3, 21, true), (3, 90, true))
    #expect(rules(plan(isBad: true, target: 1), [:]).period(1).completed)
    #expect(!rules(plan(isBad: true, target: 1), [0: 1]).period(1).completed)
  }

  @Test("A skipped day counts in no sum, and is not marked as met")
  func skipped() {
    let history = HabitHistory([
      HabitRecord(last.advanced(by: -1), 5000, isSkipped: true), HabitRecord(last, 3000),
    ])
    let rules = CardRules(plan(), CardWindow(lastDay: last) { history[$0] }, history)
    #expect(rules.period(7).value == Decimal(3) && rules.period(7).successfulDays == 1)
    #expect(rules.week[5] == CardCell(day: last.advanced(by: -1), value: Decimal(5), skipped: true))
  }

  @Test("A paused day counts as a skipped one")
  func paused() {
    let before = last.advanced(by: -1)
    let history = HabitHistory([HabitRecord(before, 5000), HabitRecord(last, 3000)])
    var plan = plan()
    plan.pauses = [before...before]
    let rules = CardRules(plan, CardWindow(lastDay: last) { history[$0] }, history)
    #expect(rules.period(7).value == Decimal(3) && rules.period(7).successfulDays == 1)
    #expect(rules.week[5] == CardCell(day: before, value: Decimal(5), paused: true))
  }

  @Test("A target for several days judges fewer days by the last one, and more in proportion")
  func severalDays() {
    var plan = plan(target: 20)
    plan.targetDays = 7
    let rules = rules(plan, [0: 2, 3: 18, 8: 4])
    let (daily, weekly, monthly) = (rules.period(1), rules.period(7), rules.period(30))
    #expect((daily.value, daily.target, daily.completed) == (Decimal(2), Decimal("2.857"), true))
    #expect((weekly.value, weekly.target, weekly.completed) == (Decimal(20), Decimal(20), true))
    #expect((monthly.value, monthly.target, monthly.completed) == (Decimal(24), Decimal("85.714"), false))
    #expect(rules.week.map(\.met) == [false, false, false, true, true, false, true])
    #expect(weekly.successfulDays == 3)
    #expect(rules.week[6].atTarget == true)
  }

  @Test("A week has seven cells and ends with the last day; a missing day is zero")
  func week() {
    let week = rules(plan(), [0: 4, 6: 3]).week
    #expect(week.map(\.day) == Array((last.advanced(by: -6)...last).days))
    #expect(week.map { $0.value } == [3, 0, 0, 0, 0, 0, 4].map { Decimal(Int64($0)) })
    #expect(week.map { $0.met } == [true, false, false, false, false, false, true])
    #expect(week[6].exceeded == true && week[0].atTarget == true)
  }

  @Test(
    "The grid has five rows, by the user's week; six where a day would be cut off (reference §19)",
    arguments: [
      ("2025-08-15", 0, false, "2025-07-14", "2025-08-17", 3, 2, 30),
      ("2025-08-17", 0, false, "2025-07-14", "2025-08-17", 5, 0, 30),
      ("2025-08-11", 0, false, "2025-07-14", "2025-08-17", 0, 6, 29),
      ("2025-08-11", 0, true, "2025-07-07", "2025-08-17", 6, 6, 30),
      ("2025-08-15", 6, false, "2025-07-13", "2025-08-16", 4, 1, 30),
    ])
  func grid(
    _ lastDay: String, _ weekday: Int, _ fits: Bool, _ first: String, _ end: String, _ before: Int, _ behind: Int,
    _ shown: Int
  ) {
    let window = CardWindow(lastDay: day(lastDay)) { HabitHistory()[$0] }
    let cells = CardRules(plan(), window, HabitHistory()).grid(firstWeekday: weekday, fits: fits)
    #expect(cells.first?.day == day(first) && cells.last?.day == day(end) && cells.count == (fits ? 42 : 35))
    #expect(cells.prefix { $0.value == nil }.count == before)
    #expect(cells.reversed().prefix { $0.value == nil }.count == behind)
    #expect(cells.count { $0.value != nil } == shown)
  }
}

extension CardRules {
  /// The contents of a window as of its last day.
  fileprivate init(_ plan: HabitPlan, _ window: CardWindow, _ history: HabitHistory) {
    self.init(plan, window, HabitTimeline(plan, history, today: window.lastDay, firstWeekday: 0))
  }
}
