import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A random history of sessions, corrections, deletions, custom exercises and settings. A service with caches, another
/// one on the same folder, and one that has just started must give the same answers.
struct SessionHistoryRun {
  private let folder: String
  private let service: InProcessService
  private let other: InProcessService
  private var random: SeededGenerator
  private var made = 0
  /// The failed expectations.
  private(set) var mismatches: [String] = []
  private static let sessions = (10..<30).map { "5a000000-0000-4000-8000-0000000000\($0)" }
  private static let customs = (1...2).map { "5c000000-0000-4000-8000-00000000000\($0)" }
  private static let days = [
    "2024-02-29", "2025-03-30", "2025-12-07", "2025-12-28", "2025-12-31", "2026-01-01", "2026-01-04", "2026-01-05",
  ]
  private static let names = ["Bench Press", "bench  press", "Own Thing", "Zercher Carry", "Plank", "Easy Run"]

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
      if random.once(in: 6) { DigestRounds.checkpoint(folder) }
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

  private mutating func newID() -> String {
    made += 1
    let number = "\(made)"
    return "5e000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
  }

  private mutating func set(_ number: Int) -> String {
    let weight = random.below(40) * 5
    let kind = random.once(in: 4) ? #","kind":"\#(pick(["warmup", "drop", "failure"]))""# : ""
    let values =
      random.once(in: 5)
      ? #""seconds":\#(random.below(900))"# : #""weight":"\#(weight)","kg":"\#(weight)","reps":\#(random.below(15))"#
    let isDone = random.once(in: 5) ? "" : #","done":true"#
    return #"{"id":"\#(newID())","number":\#(number)\#(kind),"actual":{\#(values)}\#(isDone)}"#
  }

  private mutating func modules() -> String {
    var exercises: [String] = []
    for _ in 0..<random.below(4) {
      let sets = (1...random.among(1...4)).map { set($0) }.joined(separator: ",")
      let id = random.once(in: 3) ? #""exerciseId":"\#(pick(SessionHistoryRun.customs))","# : ""
      let traits =
        #"{"name":"\#(pick(SessionHistoryRun.names))","kind":"strength","muscles":["\#(pick(["chest", "back", "core"]))"]"#
        + (random.once(in: 4) ? #","bodyweight":true}"# : "}")
      exercises.append(
        #"{"id":"\#(newID())",\#(id)"traits":\#(traits),"groups":[{"id":"\#(newID())","sets":[\#(sets)]}]}"#)
    }
    let skipped = random.once(in: 8) ? #","skipped":true"# : ""
    return
      #"[{"id":"\#(newID())","name":"Main","kind":"strength"\#(skipped),"exercises":[\#(exercises.joined(separator: ","))]}]"#
  }

  private mutating func change() {
    let writer = random.once(in: 4) ? other : service
    let (session, day) = (pick(SessionHistoryRun.sessions), pick(SessionHistoryRun.days))
    switch random.below(12) {
    case 0..<5:
      let body = random.once(in: 2) ? #","bodyWeight":"80""# : ""
      add(
        "workoutSessions", session, day,
        #""day":"\#(day)","zone":"UTC","version":1,"startedAt":"\#(day)T0\#(random.below(6)):00:00.000Z","endedAt":"\#(day)T07:00:00.000Z","seconds":\#(random.below(7200)),"name":"S","modules":\#(modules())\#(body)"#,
        writer)
    case 5: _ = writer.call("workoutSessions/amend", #"{"id":"\#(session)","modules":\#(modules())}"#)
    case 6:
      _ = writer.call(
        "workoutSessions/amend",
        #"{"id":"\#(session)","startedAt":"\#(day)T02:00:00.000Z","endedAt":"\#(day)T04:00:00.000Z"}"#)
    case 7: _ = writer.call("workoutSessions/amend", #"{"id":"\#(session)","bodyWeight":"\#(60 + random.below(40))"}"#)
    case 8: _ = writer.call("workoutSessions/delete", #"{"id":"\#(session)"}"#)
    case 9:
      let name = pick(["Own Thing", "Zercher Carry", "Other"])
      add(
        "customExercises", pick(SessionHistoryRun.customs), nil, #""traits":{"name":"\#(name)","kind":"strength"}"#,
        writer)
    case 10:
      let formula = pick(["brzycki", "epley", "lombardi", "oconner", "wathan"])
      add(
        "trainingSettings", "00000000-0000-0000-0000-000000000005", nil,
        #""weightUnit":"kg","distanceUnit":"km","restSeconds":90,"startsRest":true,"oneRepMax":"\#(formula)","prefill":"target","bar":"20","plates":[],"logsEnergy":true"#,
        writer)
    default: _ = writer.call("changes/undo", "{}")
    }
  }

  /// Puts a record newer than all others.
  private mutating func add(
    _ collection: String, _ id: String, _ day: String?, _ members: String, _ writer: InProcessService
  ) {
    made += 1
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let at = "2026-01-05T\(two(made / 3600)):\(two(made / 60 % 60)):\(two(made % 60)).000Z"
    let isSingle = collection == "trainingSettings"
    let own = isSingle ? "" : #""id":"\#(id)","#
    let stamps = isSingle ? "" : #","createdAt":"2024-01-01T00:00:00.000Z","updatedAt":"\#(at)""#
    let place = day.map { #","day":"\#($0)""# } ?? ""
    let answer = writer.call(
      "data/import",
      #"{"mode":"merge","lines":[{"collection":"\#(collection)","id":"\#(id)"\#(place),"created":"2024-01-01T00:00:00.000Z","updated":"\#(at)","schema":1,"body":{\#(own)\#(members)\#(stamps)}}]}"#
    )
    expect(answer["error"] == nil, answer.text)
  }

  private static let questions: [(String, String)] = [
    ("training/overview", "{}"), ("training/records", "{}"), ("training/exercises", "{}"),
    ("training/records", #"{"name":"bench press"}"#), ("training/records", #"{"name":"own thing"}"#),
    ("training/exercise", #"{"name":"Zercher Carry","from":"2025-01-01"}"#),
    ("training/exercise", #"{"name":"Plank"}"#), ("training/series", "{}"),
    ("training/series", #"{"by":"month","muscle":"core"}"#),
    ("training/calendar", #"{"from":"2025-12-01","to":"2026-01-10"}"#),
    (
      "measures/get",
      #"{"names":["workouts","workoutMinutes","workoutSets","backSets"],"from":"2024-02-01","to":"2026-01-06"}"#
    ),
    ("agenda/get", #"{"from":"2025-12-30","to":"2026-01-08"}"#),
  ]

  /// Checks that caches and digests change no answer.
  private mutating func compare() {
    if random.once(in: 2) { DigestRounds.drop(folder) }
    guard let cold = InProcessService(folder: folder) else { return expect(false, "no pipes") }
    for (method, params) in SessionHistoryRun.questions {
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
