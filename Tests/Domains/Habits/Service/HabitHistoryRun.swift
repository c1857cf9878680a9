import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A random history of habits, logs, categories, water and cards. A service with caches, another one on the same folder
/// and a fresh one must give the same answers, and every card must equal a freshly opened one.
struct HabitHistoryRun {
  private let folder: String
  private let service: InProcessService
  /// Another process on the folder.
  private let other: InProcessService
  private var random: SeededGenerator
  /// The violations found.
  private(set) var mismatches: [String] = []
  private static let habits = (1...5).map { "e0000000-0000-4000-8000-00000000000\($0)" }
  private static let logs = (10..<30).map { "f0000000-0000-4000-8000-0000000000\($0)" }
  private static let days = [
    "2024-02-29", "2025-03-30", "2025-10-26", "2025-12-07", "2025-12-28", "2025-12-31", "2026-01-01", "2026-01-04",
    "2026-01-05", "2026-01-06", "2026-01-07",
  ]
  private static let schedules = [
    #"{"kind":"daily"}"#, #"{"kind":"weekdays","weekdays":["monday","saturday"]}"#, #"{"kind":"perWeek","times":3}"#,
    #"{"kind":"perMonth","times":2}"#, #"{"kind":"everyDays","days":3}"#, #"{"kind":"perDays","times":2,"days":5}"#,
  ]

  init?(folder: String, seed: UInt64) {
    guard let service = InProcessService(folder: folder), let other = InProcessService(folder: folder) else {
      return nil
    }
    self.folder = folder
    self.service = service
    self.other = other
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for id in HabitHistoryRun.habits { add(id) }
    for step in 0..<steps where mismatches.isEmpty {
      change()
      if random.once(in: 6) { DigestRounds.checkpoint(folder) }
      walk()
      if step % 10 == 9 { compare() }
    }
    compare()
    service.close()
    other.close()
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private mutating func pick(_ texts: [String]) -> String { texts[random.below(texts.count)] }

  private mutating func add(_ id: String) {
    let target = [
      #""unit":"x","target":"3""#, #""kind":"bad","unit":"x","target":"2""#, #""source":"water","target":"500""#, "",
    ]
    let own = pick(target)
    _ = service.call(
      "habits/add",
      #"{"id":"\#(id)","name":"\#(id)","startDay":"\#(pick(["2024-02-29", "2025-12-01"]))","schedule":\#(pick(HabitHistoryRun.schedules))"#
        + (own.isEmpty ? "}" : ",\(own)}"))
  }

  private mutating func change() {
    let writer = random.once(in: 4) ? other : service
    let (habit, day, log) = (pick(HabitHistoryRun.habits), pick(HabitHistoryRun.days), pick(HabitHistoryRun.logs))
    let value = random.below(5)
    func on(_ method: String, _ more: String) -> JSONValue {
      writer.call(method, #"{"habitId":"\#(habit)","day":"\#(day)","allowFuture":true\#(more)}"#)
    }
    switch random.below(22) {
    case 0..<4: _ = on("habitLogs/add", #","id":"\#(log)","value":"\#(value)""#)
    case 4, 5: _ = on("habitLogs/increment", #","by":"\#(value - 2)""#)
    case 6: _ = on("habitLogs/setValue", #","value":"\#(value)""#)
    case 7: _ = on("habitLogs/setValue", #","value":null"#)
    case 8, 9: _ = on("habitLogs/skip", #","skipped":\#(random.once(in: 2))"#)
    case 10: _ = on("habitLogs/setNote", #","note":"n""#)
    case 11: _ = on("habitLogs/complete", "")
    case 12: _ = writer.call("habitLogs/delete", #"{"id":"\#(log)"}"#)
    case 13: _ = writer.call("habitLogs/update", #"{"id":"\#(log)","day":"\#(day)","allowFuture":true}"#)
    case 14: _ = writer.call("changes/undo", "{}")
    case 15: _ = writer.call("water/add", #"{"day":"\#(day)","value":"\#(value * 200 + 1)"}"#)
    case 16: _ = writer.call("habits/pause", #"{"id":"\#(habit)","from":"\#(day)","to":"2026-01-10"}"#)
    case 17: _ = writer.call("habits/resume", #"{"id":"\#(habit)","day":"\#(day)"}"#)
    case 18: _ = writer.call(random.once(in: 2) ? "habits/archive" : "habits/restore", #"{"id":"\#(habit)"}"#)
    case 19: _ = writer.call("habits/update", #"{"id":"\#(habit)","schedule":\#(pick(HabitHistoryRun.schedules))}"#)
    case 20: _ = writer.call("habits/reorder", #"{"habitIds":["\#(habit)"]}"#)
    default:
      _ = writer.call("habits/delete", #"{"id":"\#(habit)"}"#)
      add(habit)
    }
  }

  /// Moves the cards and checks them.
  private mutating func walk() {
    switch random.below(8) {
    case 0: _ = service.call("cards/open", #"{"lastDay":"\#(pick(HabitHistoryRun.days))","rows":"auto"}"#)
    case 1: _ = service.call("cards/seek", #"{"lastDay":"\#(pick(HabitHistoryRun.days))"}"#)
    case 2, 3: _ = service.call("cards/shift", #"{"by":1}"#)
    case 4, 5: _ = service.call("cards/shift", #"{"by":-1}"#)
    case 6: _ = service.call("cards/shift", #"{"by":\#(random.below(90) - 45)}"#)
    default: break
    }
    let check = service.call("cards/check", "{}")
    expect(check["result"]?["sound"]?.boolean == true, check.text)
    let dashboard = service.call("dashboard/get", #"{"day":"\#(pick(HabitHistoryRun.days))"}"#)
    for habit in dashboard["result"]?["habits"]?.array ?? [] {
      let (state, due) = (habit["habitDay"]?["state"]?.string ?? "", habit["habitDay"]?["due"]?.boolean ?? false)
      if state == "planned" { expect(due, dashboard.text) }
      if ["paused", "skipped", "outside", "notDue"].contains(state) { expect(!due, dashboard.text) }
    }
  }

  private static var questions: [(String, String)] {
    var questions = [
      ("habits/list", "{}"), ("dashboard/get", "{}"), ("dashboard/get", #"{"day":"2026-01-07"}"#),
      ("habits/overview", #"{"from":"2025-12-01"}"#), ("habitLogs/list", "{}"), ("habitCategories/list", "{}"),
      ("measures/get", #"{"names":["habitsDue","habitsDone"],"from":"2025-12-20","to":"2026-01-06"}"#),
      ("agenda/get", #"{"from":"2025-12-30","to":"2026-01-08"}"#),
    ]
    for id in habits.prefix(3) {
      questions += [
        ("habits/stats", #"{"id":"\#(id)","from":"2025-12-01"}"#), ("habits/streaks", #"{"id":"\#(id)"}"#),
        ("habits/series", #"{"id":"\#(id)","by":"week","from":"2025-12-01"}"#),
        ("habits/heatMap", #"{"id":"\#(id)","year":2025}"#),
      ]
    }
    return questions
  }

  /// Neither caches nor digests change an answer.
  private mutating func compare() {
    if random.once(in: 2) { DigestRounds.drop(folder) }
    guard let cold = InProcessService(folder: folder) else { return expect(false, "no pipes") }
    for (method, params) in HabitHistoryRun.questions {
      let fresh = cold.call(method, params)
      for warm in [service, other] {
        let answer = warm.call(method, params)
        expect(
          answer["result"] == fresh["result"] && answer["error"]?["code"] == fresh["error"]?["code"],
          "\(method) \(params): \(answer.text) and of a new process \(fresh.text)")
      }
    }
    cold.close()
  }
}
