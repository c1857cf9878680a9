import DomainKit
import EntryWords
import JSON
import TextFolding
import Training

/// Lines of text as sets of the running workout.
extension TrainingService {
  func setReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    guard let last = line.parts.last, line.parts.dropLast().allSatisfy({ $0.text != nil }) else { return [] }
    var (weight, unit, reps): (EntryNumber?, WeightUnit?, Int)
    switch last {
    case .set(let number, let typed, let count):
      (weight, reps) = (number, count)
      if let typed { unit = typed == .lb ? .lb : .kg } else { unit = try trainingSettings(context).weightUnit }
    case .quantity(let number, .rep):
      guard let count = number.integer else { return [] }
      (weight, unit, reps) = (nil, nil, count)
    default: return []
    }
    try RPCError.reading { () throws(EntryProblem) in try weight?.check() }
    let name = line.parts.dropLast().compactMap(\.text).joined(separator: " ")
    let values = [weight.map { "\($0.value.normalized) \((unit ?? .kg).rawValue)" }, "\(reps) reps"].compactMap { $0 }
    func candidate(_ place: RunningPlace?, needs: EntryNeed? = nil) -> EntryCandidate {
      let title = place?.exercise.traits.name ?? name
      var logged = JSONObject()
      logged["weight"] = weight.map { JSONValue($0.value) }
      logged["weightUnit"] = unit.map { .string($0.rawValue) }
      logged["reps"] = .number(JSONNumber(reps))
      return EntryCandidate(
        .set, name.isEmpty ? .form : .fullName,
        "Set\(title.isEmpty ? "" : " of “\(title)”"): \(values.joined(separator: " × "))", .workoutSessionLogSet,
        [("setId", place.map { .string("\($0.set.id)") }), ("values", .object(logged))], needs: needs)
    }
    guard let workout = try running(context) else { return [candidate(nil, needs: .workout)] }
    guard line.time == nil, day == context.today else {
      throw RPCError(EntryProblem("a set is logged now, not at another time", hint: "leave day and time out"))
    }
    guard !workout.all.isEmpty else {
      throw RPCError(
        EntryProblem("the workout has no exercise yet", hint: "“workoutSession/addExercise” adds one with its sets"))
    }
    let place: RunningPlace?
    if name.isEmpty {
      place = workout.current
    } else {
      guard let exercise = exercise(name, in: workout) else { return [candidate(nil, needs: .exercise)] }
      let open = exercise.groups.flatMap(\.sets).first { $0.done != true }
      place = open.flatMap { workout[workout.position(ofSet: $0.id)] }
    }
    guard let place, place.set.done != true else {
      throw RPCError(
        EntryProblem(
          name.isEmpty ? "the workout has no open set at its place" : "the exercise has no open set",
          hint: "“workoutSession/addSet” adds a set, “workoutSession/logSet” corrects one"))
    }
    return [candidate(place)]
  }

  /// The only exercise with a word that starts with some text.
  private func exercise(_ name: String, in workout: RunningWorkout) -> SessionExercise? {
    let start = FoldedName.folded(name)
    let found = workout.all.filter { exercise in
      let title = FoldedName.folded(exercise.traits.name)
      return title.indices.contains { index in
        (index == 0 || title[index - 1] == FoldedName.space) && title[index...].starts(with: start)
      }
    }
    return found.count == 1 ? found.first : nil
  }

  package func hasEntryName(_ folded: [UInt8], _ context: Context) throws(RPCError) -> Bool { false }

  package func summary(
    of entry: EntryCandidate, on day: CivilDay, label: String, _ context: Context
  ) throws(RPCError) -> String {
    guard let progress = try running(context)?.progress else { return "logged" }
    return "\(progress.done) of \(progress.sets) sets done"
  }

  package func completions(
    of start: [UInt8], atMost limit: Int, _ context: Context
  ) throws(RPCError) -> [EntryCompletion] {
    guard !start.isEmpty, let workout = try running(context) else { return [] }
    return workout.all.filter { FoldedName.folded($0.traits.name).starts(with: start) }.prefix(limit).map {
      EntryCompletion(text: $0.traits.name, detail: "exercise of the workout", kind: .set)
    }
  }
}
