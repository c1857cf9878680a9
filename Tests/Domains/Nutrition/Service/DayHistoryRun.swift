import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A random history of meals, exercises, water, day entries and settings, during which two services on one folder, one with caches and
/// one just started, must give the same answers.
struct DayHistoryRun {
  private let folder: String
  private let service: InProcessService
  /// Another process on the folder.
  private let other: InProcessService
  private var random: SeededGenerator
  /// The violated expectations.
  private(set) var mismatches: [String] = []
  private static let days = [
    "1999-12-31", "2024-02-29", "2025-12-28", "2025-12-29", "2025-12-30", "2025-12-31", "2026-01-01", "2026-01-04",
    "2026-01-05", "2026-01-06", "2026-02-28",
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
    for step in 0..<steps where mismatches.isEmpty {
      change()
      if Int.random(in: 0..<6, using: &random) == 0 { DigestRounds.checkpoint(folder) }
      look()
      if step % 10 == 9 { compare() }
    }
    compare()
    service.close()
    other.close()
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private mutating func day() -> String { DayHistoryRun.days.randomElement(using: &random) ?? "" }

  private mutating func change() {
    let writer = Int.random(in: 0..<4, using: &random) == 0 ? other : service
    let id = "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<30, using: &random))"
    let (day, calories) = (day(), Int.random(in: 0...6, using: &random) * 700)
    switch Int.random(in: 0..<28, using: &random) {
    case 0..<8:
      let grams =
        [
          "", ",\"protein\":\"12.50\"", ",\"carbs\":\"3\",\"fat\":\"0.25\"", ",\"nutrients\":{\"fibre\":\"1.50\"}",
          ",\"nutrients\":{\"sodium\":\"20\",\"fibre\":\"0.3\",\"caffeine\":\"0\"}",
        ].randomElement(using: &random) ?? ""
      _ = writer.call(
        "meals/add", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"name\":\"x\",\"calories\":\(calories)\(grams)}")
    case 8..<11: _ = writer.call("meals/update", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"calories\":\(calories)}")
    case 11..<13: _ = writer.call("meals/delete", "{\"id\":\"\(id)\"}")
    case 13..<16:
      let note = ["", ",\"note\":null", ",\"note\":\"n\""].randomElement(using: &random) ?? ""
      _ = writer.call("days/updateEntry", "{\"day\":\"\(day)\",\"fasted\":\(Bool.random(using: &random))\(note)}")
    case 16..<18: _ = writer.call("changes/undo", "{}")
    case 18..<21: exercise(writer, id, day, calories / 7)
    case 21: _ = writer.call("exercises/update", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"calories\":\(calories + 1)}")
    case 22: _ = writer.call("exercises/delete", "{\"id\":\"\(id)\"}")
    case 23, 24: _ = writer.call("water/add", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"value\":\"\(calories + 1)\"}")
    case 25: _ = writer.call("water/update", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"unit\":\"ml\"}")
    default:
      let (total, deficit) = (Int.random(in: 1...4, using: &random) * 900, Int.random(in: 0...2, using: &random) * 300)
      _ = writer.call(
        "settings/update",
        "{\"totalCalories\":\(total),\"targetDeficit\":\(deficit),"
          + "\"weeklyRestDayEnabled\":\(Bool.random(using: &random))}")
    }
  }

  /// Logs a manual exercise or a training session's.
  private mutating func exercise(_ writer: InProcessService, _ id: String, _ day: String, _ calories: Int) {
    let identity =
      Bool.random(using: &random) ? "\"id\":\"\(id)\"" : "\"source\":{\"kind\":\"training\",\"id\":\"\(id)\"}"
    _ = writer.call(
      "exercises/add", "{\(identity),\"day\":\"\(day)\",\"name\":\"x\",\"calories\":\(calories + 1)}")
  }

  private static let questions = [
    ("streaks/get", "{}"), ("weeks/get", "{\"day\":\"2025-12-31\"}"),
    ("weeks/get", "{\"day\":\"2026-01-05\",\"firstWeekday\":\"sunday\"}"), ("months/get", "{\"day\":\"2025-12-31\"}"),
    ("years/get", "{\"day\":\"2025-12-31\"}"), ("years/get", "{}"), ("days/series", "{\"bucket\":\"month\"}"),
    ("days/series", "{\"bucket\":\"week\",\"from\":\"2024-02-01\"}"), ("days/calendar", "{}"),
    ("days/list", "{\"from\":\"2025-12-25\",\"to\":\"2026-01-10\"}"),
  ]

  /// In every view, a day's deficit and intake add up to maintenance.
  private mutating func look() {
    let day = day()
    let today = service.call("days/get", "{\"day\":\"\(day)\"}")["result"]
    let total = today?["totalCalories"]?.integer ?? -1
    let listed = service.call("days/list", "{\"from\":\"\(day)\",\"to\":\"\(day)\"}")["result"]?["days"]?.array.first
    for view in [today, listed] {
      let (deficit, consumed) = (view?["deficitAchieved"]?.integer ?? -1, view?["caloriesConsumed"]?.integer ?? -1)
      expect(deficit == total - consumed, "\(day): \(view?.text ?? "nothing")")
      let (net, burned) = (view?["netDeficit"]?.integer ?? -1, view?["exerciseCalories"]?.integer ?? -1)
      expect(net == deficit + burned, "\(day): \(view?.text ?? "nothing")")
    }
    let logged = service.call("exercises/list", "{\"day\":\"\(day)\"}")["result"]?["exercises"]?.array ?? []
    let burned = logged.reduce(0) { $0 + ($1["calories"]?.integer ?? 0) }
    expect(today?["exerciseCalories"]?.integer == burned, "\(day): \(burned) kcal were burned, \(today?.text ?? "")")
    expect(today?["exerciseCalories"] == listed?["exerciseCalories"] && today?["water"] == listed?["water"], day)
    let sources = service.call("exercises/list", "{}")["result"]?["exercises"]?.array.compactMap {
      $0["source"]?["id"]?.string
    }
    expect(Set(sources ?? []).count == sources?.count, "a session is counted twice: \(sources ?? [])")
    expect(today?["status"] == listed?["status"] && today?["fasted"] == listed?["fasted"], "\(day): two statuses")
    expect(today?["caloriesConsumed"] == listed?["caloriesConsumed"], "\(day): two sums")
    expect(today?["nutrients"] == listed?["nutrients"], "\(day): two sums of what else is in meals")
    let isData = listed?["hasData"]?.boolean == true
    expect(isData == (today?["status"]?["kind"]?.string != "noData"), "\(day): data or not")
    let (method, params) = DayHistoryRun.questions.randomElement(using: &random) ?? ("", "")
    expect(service.call(method, params)["error"] == nil, "\(method) \(params)")
  }

  /// Caches and digests change no answer.
  private mutating func compare() {
    guard let digested = InProcessService(folder: folder) else { return expect(false, "no pipes") }
    let answers = DayHistoryRun.questions.map { digested.call($0.0, $0.1) }
    digested.close()
    DigestRounds.drop(folder)
    guard let cold = InProcessService(folder: folder) else { return expect(false, "no pipes") }
    for ((method, params), answer) in zip(DayHistoryRun.questions, answers) {
      let fresh = cold.call(method, params)["result"]
      expect(answer["result"] == fresh, "\(method) \(params) with digests: \(answer.text)")
      for warm in [service, other] {
        let answer = warm.call(method, params)["result"]
        expect(
          fresh != nil && answer == fresh,
          "\(method) \(params): \(answer?.text ?? "nothing") is not \(fresh?.text ?? "nothing")")
      }
    }
    cold.close()
  }
}
