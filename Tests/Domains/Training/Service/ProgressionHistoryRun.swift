import DaybookProtocol
import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting
import Training

/// A random history of a program's sessions: trained, corrected, deleted, undone. The stored progression states must be
/// those that the sessions teach, one after the other, as they are now.
struct ProgressionHistoryRun {
  private let service: InProcessService
  private var random: SeededGenerator
  private var made = 0
  /// Changes of sessions that are not undone, at most: the plan is never undone.
  private var changes = 0
  /// The failed expectations.
  private(set) var mismatches: [String] = []
  private static let workout = "b0000000-0000-4000-8000-000000000001"
  private static let program = "d0000000-0000-4000-8000-000000000001"
  private static let exercises = (1...3).map { "a1000000-0000-4000-8000-00000000000\($0)" }

  init?(folder: String, seed: UInt64) {
    guard let service = InProcessService(folder: folder) else { return nil }
    self.service = service
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    plan()
    for _ in 0..<steps where mismatches.isEmpty {
      change()
      compare()
    }
    service.close()
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private mutating func newID() -> String {
    made += 1
    let number = "\(made)"
    return "5e000000-0000-4000-8000-" + String(repeating: "0", count: 12 - number.count) + number
  }

  private mutating func plan() {
    let traits = [
      #"{"name":"Press","kind":"strength"}"#, #"{"name":"Run","kind":"cardio"}"#,
      #"{"name":"Pull-Up","kind":"strength","bodyweight":true,"assisted":true}"#,
    ]
    let planned = zip(ProgressionHistoryRun.exercises, traits).map { id, traits in
      #"{"id":"\#(id)","traits":\#(traits),"groups":[{"sets":2,"target":{"reps":5}}]}"#
    }.joined(separator: ",")
    _ = service.call(
      "workouts/add", #"{"id":"\#(ProgressionHistoryRun.workout)","name":"W","modules":[],"exercises":[\#(planned)]}"#)
    let own = ProgressionHistoryRun.exercises.map { #"{"exerciseId":"\#($0)"}"# }.joined(separator: ",")
    let added = service.call(
      "programs/add",
      #"{"id":"\#(ProgressionHistoryRun.program)","name":"P","weeks":4,"slots":[{"kind":"weekly","weekday":"monday","workoutId":"\#(ProgressionHistoryRun.workout)"}],"progression":{"policy":"adaptive","rule":{"metric":"weight","rounding":"2.5"},"exercises":[\#(own)]}}"#
    )
    expect(added["error"] == nil, added.text)
    _ = service.call("programs/activate", #"{"id":"\#(ProgressionHistoryRun.program)","startDay":"2026-01-05"}"#)
  }

  private mutating func change() {
    let sessions = service.call("workoutSessions/list", "{}")["result"]?["sessions"]?.array ?? []
    changes += 1
    guard let session = sessions.isEmpty || random.once(in: 2) ? nil : sessions[random.below(sessions.count)],
      let id = session["id"]?.string
    else { return random.once(in: 8) ? undo() : train() }
    switch random.below(6) {
    case 0: _ = service.call("workoutSessions/delete", #"{"id":"\#(id)"}"#)
    case 1: undo()
    case 2:
      // Earlier by up to two days, before or after other sessions.
      let day = 3 + random.below(3)
      _ = service.call(
        "workoutSessions/amend",
        #"{"id":"\#(id)","startedAt":"2026-01-0\#(day)T0\#(random.below(10)):00:00.000Z","seconds":0}"#)
    default: amend(session, id)
    }
  }

  private mutating func undo() {
    guard changes > 1 else { return }
    changes -= 2
    _ = service.call("changes/undo", "{}")
  }

  private mutating func train() {
    let state = service.call(
      "workoutSession/start", #"{"sessionId":"\#(newID())","workoutId":"\#(ProgressionHistoryRun.workout)"}"#)
    for exercise in state["result"]?["exercises"]?.array ?? [] {
      guard let id = exercise["id"]?.string else { continue }
      if random.once(in: 3) {
        let choice = ["progress", "stay", "regress"][random.below(3)]
        _ = service.call("workoutSession/editExercise", #"{"exerciseId":"\#(id)","choice":"\#(choice)"}"#)
      }
      for set in exercise["groups"]?.array.first?["sets"]?.array ?? [] where !random.once(in: 4) {
        let values =
          #"{"weight":"\#(random.below(20) * 5)","reps":\#(random.below(8)),"seconds":\#(random.below(600)),"distance":"\#(random.below(50))"}"#
        _ = service.call("workoutSession/logSet", #"{"setId":"\#(set["id"]?.string ?? "")","values":\#(values)}"#)
      }
    }
    _ = service.call("workoutSession/end", "{}")
  }

  /// Other weights, other choices, sets done or not.
  private mutating func amend(_ session: JSONValue, _ id: String) {
    guard var modules = session["modules"] else { return }
    let (open, done) = (#""done":false"#, #""done":true"#)
    var text = modules.text
    if random.once(in: 2) { text = text.replacing(done, with: open) } else { text = text.replacing(open, with: done) }
    for _ in 0..<3 {
      text = text.replacing(
        #""reps":\#(random.below(8))"#, with: #""reps":\#(random.below(8))"#)
      let choices = ["progress", "stay", "regress"].map { #""choice":"\#($0)""# }
      text = text.replacing(choices[random.below(3)], with: choices[random.below(3)])
    }
    modules = (try? JSONValue(json: Array(text.utf8))) ?? modules
    let answer = service.call("workoutSessions/amend", #"{"id":"\#(id)","modules":\#(modules.text)}"#)
    expect(answer["error"] == nil, answer.text)
  }

  /// Compares the stored states with those that the sessions teach.
  private mutating func compare() {
    let listed = service.call("workoutSessions/list", #"{"limit":500}"#)["result"]?["sessions"]?.array ?? []
    let sessions = listed.compactMap { try? WorkoutSession(json: $0.json) }
    expect(sessions.count == listed.count, "a session cannot be read")
    var taught: [EntityID: ProgressionState] = [:]
    for session in sessions.sorted(by: { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }) {
      for lesson in ProgressionLearning.lessons(of: session) {
        let old =
          taught[lesson.plannedId]
          ?? ProgressionState(
            lesson.plannedId, of: lesson.plannedId, lesson.plannedId, at: session.createdAt)
        taught[lesson.plannedId] = ProgressionLearning.state(old, after: lesson, at: session.createdAt)
      }
    }
    let states = service.call("progressionStates/list", "{}")["result"]?["progressionStates"]?.array ?? []
    expect(states.count == taught.count, "\(states.map(\.text)) of \(taught.count)")
    for state in states {
      guard let stored = try? ProgressionState(json: state.json), var own = taught[stored.exerciseId] else {
        expect(false, "no session teaches \(state.text)")
        continue
      }
      (own.id, own.programId) = (stored.id, stored.programId)
      (own.createdAt, own.updatedAt) = (stored.createdAt, stored.updatedAt)
      expect(own == stored, "\(state.text) instead of \(String(decoding: own.json, as: UTF8.self))")
    }
  }
}
