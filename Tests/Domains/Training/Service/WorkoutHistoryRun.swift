import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A random history of a running session and its plans. A service with caches, another one on the same folder, and one
/// that has just started, as after all others were killed, must give the same answers.
struct WorkoutHistoryRun {
  private let folder: String
  private let services: [InProcessService]
  private var random: SeededGenerator
  /// The failed expectations.
  private(set) var mismatches: [String] = []
  /// The exercises, modules and sets of the running session when last read.
  private var (exercises, modules, sets): ([String], [String], [String]) = ([], [], [])
  private static let module = "a0000000-0000-4000-8000-000000000001"
  private static let workout = "b0000000-0000-4000-8000-000000000001"
  private static let library = ["1", "2", "6"].map { "0000000c-000\($0)-0001-0001-000000000001" }

  init?(folder: String, seed: UInt64) {
    guard let first = InProcessService(folder: folder), let second = InProcessService(folder: folder) else {
      return nil
    }
    self.folder = folder
    services = [first, second]
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    plan()
    for step in 0..<steps where mismatches.isEmpty {
      change()
      if random.once(in: 8) { DigestRounds.checkpoint(folder) }
      look()
      if step % 8 == 7 { compare() }
    }
    compare()
    for service in services { service.close() }
  }

  private mutating func pick(_ texts: [String]) -> String { texts.isEmpty ? "" : texts[random.below(texts.count)] }

  private mutating func groups() -> String {
    let kind = pick([#","kind":"warmup""#, #","kind":"drop""#, #","mode":"amrap","limitSeconds":60"#, ""])
    return #"[{"sets":\#(random.below(3) + 1),"target":{"weight":"\#(random.below(20) * 5)","reps":5}\#(kind)}]"#
  }

  private mutating func plan() {
    let planned = WorkoutHistoryRun.library.map { #"{"exerciseId":"\#($0)","groups":\#(groups())}"# }
      .joined(separator: ",")
    _ = services[0].call(
      "modules/add", #"{"id":"\#(WorkoutHistoryRun.module)","name":"Module","exercises":[\#(planned)]}"#)
    _ = services[0].call(
      "workouts/add",
      #"{"id":"\#(WorkoutHistoryRun.workout)","name":"Workout","modules":[{"moduleId":"\#(WorkoutHistoryRun.module)"}],"exercises":[\#(planned)]}"#
    )
  }

  private mutating func change() {
    let writer = services[random.below(services.count)]
    let (exercise, module, set, other) = (pick(exercises), pick(modules), pick(sets), pick(WorkoutHistoryRun.library))
    func live(_ method: String, _ params: String) { _ = writer.call("workoutSession/\(method)", params) }
    switch random.below(30) {
    case 0...1:
      live(
        "start",
        pick([
          "{}", #"{"workoutId":"\#(WorkoutHistoryRun.workout)"}"#, #"{"moduleIds":["\#(WorkoutHistoryRun.module)"]}"#,
        ]))
    case 2...9: live("logSet", #"{"values":{"weight":"\#(random.below(40) * 5)","reps":\#(random.below(12))}}"#)
    case 10: live("logSet", #"{"setId":"\#(set)","rests":\#(random.once(in: 2))}"#)
    case 11: live("uncheckSet", #"{"setId":"\#(set)"}"#)
    case 12: live("addSet", #"{"exerciseId":"\#(exercise)"}"#)
    case 13: live("deleteSet", #"{"setId":"\#(set)"}"#)
    case 14...15: live("addExercise", #"{"exerciseId":"\#(other)","groups":\#(groups())}"#)
    case 16: live("addModule", #"{"moduleId":"\#(WorkoutHistoryRun.module)"}"#)
    case 17: live("deleteExercise", #"{"exerciseId":"\#(exercise)"}"#)
    case 18: live("skipModule", #"{"sessionModuleId":"\#(module)","skipped":\#(random.once(in: 2))}"#)
    case 19:
      live(
        "editExercise",
        #"{"exerciseId":"\#(exercise)","replacementId":"\#(other)","updatesPlan":\#(random.once(in: 3)),"groups":\#(groups())}"#
      )
    case 20: live("goTo", #"{"move":"\#(pick(["next", "nextSet", "previousSet", "nextExercise", "nextModule"]))"}"#)
    case 21: live("startTimer", #"{"kind":"\#(pick(["rest", "exercise", "interval"]))"}"#)
    case 22: live("changeTimer", #"{"action":"\#(pick(["pause", "resume", "skip", "stop"]))"}"#)
    case 23: live("update", #"{"paused":\#(random.once(in: 2))}"#)
    case 24: live("claim", "{}")
    case 25...26: _ = writer.call("changes/undo", "{}")
    case 27: live("end", #"{"allChanges":\#(random.once(in: 2)),"feeling":5}"#)
    case 28: live("cancel", "{}")
    default: _ = writer.call("supersets/make", #"{"exerciseIds":["\#(exercise)","\#(pick(exercises))"]}"#)
    }
  }

  /// Reads the running session again, and checks its invariants.
  private mutating func look() {
    let state = services[random.below(services.count)].call("workoutSession/get", "{}")["result"]?["state"]
    let list = state?["exercises"]?.array ?? []
    exercises = list.compactMap { $0["id"]?.string }
    modules = (state?["session"]?["modules"]?.array ?? []).compactMap { $0["id"]?.string }
    sets = list.flatMap { $0["groups"]?.array ?? [] }.flatMap { $0["sets"]?.array ?? [] }.compactMap {
      $0["id"]?.string
    }
    guard let state else { return }
    if (state["step"] == nil) != sets.isEmpty { mismatches.append("no step, or one too many: \(state.text)") }
    if Set(sets).count != sets.count { mismatches.append("a set is there twice: \(state.text)") }
  }

  private static let questions = [
    ("workoutSession/get", "{}"), ("workoutSession/changes", "{}"), ("workoutSessions/list", "{}"),
    ("modules/list", "{}"), ("workouts/list", "{}"), ("progressionStates/list", "{}"), ("exercises/list", "{}"),
    ("training/overview", "{}"), ("training/records", "{}"), ("training/exercises", "{}"),
    ("training/series", #"{"from":"2025-12-01","by":"week"}"#),
    ("measures/get", #"{"names":["workouts","chestSets","exerciseCalories"],"from":"2025-12-20","to":"2026-01-06"}"#),
    ("agenda/get", #"{"from":"2025-12-30","to":"2026-01-08"}"#),
  ]

  /// Checks that caches and digests change no answer.
  private mutating func compare() {
    if random.once(in: 2) { DigestRounds.drop(folder) }
    guard let cold = InProcessService(folder: folder) else { return mismatches.append("no pipes") }
    for (method, params) in WorkoutHistoryRun.questions {
      let fresh = cold.call(method, params)
      for warm in services {
        let answer = warm.call(method, params)
        if answer["result"] != fresh["result"] || answer["error"]?["code"] != fresh["error"]?["code"] {
          mismatches.append("\(method) \(params): \(answer.text) and of a new process \(fresh.text)")
        }
      }
    }
    cold.close()
  }
}
