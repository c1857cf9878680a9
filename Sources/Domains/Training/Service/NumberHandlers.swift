import CivilTime
import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Training
import Values

extension TrainingService {
  /// The most points that a series has.
  private static let longestSeries = 4000

  func trainingOverview(_ params: NoParams, _ context: inout Context) throws(RPCError) -> TrainingOverviewResult {
    let numbers = try numbers(context)
    let library = try library(context)
    var overview = numbers.overview(today: context.today, firstWeekday: context.firstWeekday.index)
    overview.lifts = numbers.histories.lazy.filter { $0.kind == .strength }.prefix(3).map {
      numbers.trend($0, name: name($0, library))
    }
    return TrainingOverviewResult(overview: overview, revision: try context.storeRevision())
  }

  func trainingRecords(
    _ params: TrainingRecordsParams, _ context: inout Context
  ) throws(RPCError) -> TrainingRecordsResult {
    let numbers = try numbers(context)
    let library = try library(context)
    let revision = try context.storeRevision()
    var history: ExerciseHistory?
    if params.exerciseId != nil || params.name != nil {
      history = self.history(params.exerciseId, params.name, numbers, library)
      if history == nil { return TrainingRecordsResult(records: [], revision: revision) }
    }
    let records = numbers.records(of: history, from: params.from, limit: params.limit ?? 100) {
      library.exercise($0)?.traits.name
    }
    return TrainingRecordsResult(records: records, revision: revision)
  }

  func trainingExercise(
    _ params: TrainingExerciseParams, _ context: inout Context
  ) throws(RPCError) -> TrainingExerciseResult {
    guard params.exerciseId != nil || params.name != nil else {
      throw RPCError(
        .invalidParams, "no exercise is named", pointer: "/exerciseId", allowed: "“exerciseId” or “name”")
    }
    let numbers = try numbers(context)
    let library = try library(context)
    guard let history = history(params.exerciseId, params.name, numbers, library) else {
      throw RPCError(
        .notFound, "no session has this exercise", pointer: params.exerciseId == nil ? "/name" : "/exerciseId",
        hint: "“training/exercises” has those there are sessions of")
    }
    let first = history.points.first.map { numbers.sessions[$0.session].day } ?? context.today
    let to = params.to ?? max(context.today, params.from ?? first)
    let from = params.from ?? min(first, to)
    let asked = try RPCError.days(from, to)
    return TrainingExerciseResult(
      trend: numbers.trend(history, asked, name: name(history, library)), revision: try context.storeRevision())
  }

  func trainingExercises(_ params: NoParams, _ context: inout Context) throws(RPCError) -> TrainingExercisesResult {
    let numbers = try numbers(context)
    let library = try library(context)
    return TrainingExercisesResult(
      exercises: numbers.histories.map { numbers.trend($0, name: name($0, library)) },
      revision: try context.storeRevision())
  }

  func trainingSeries(
    _ params: TrainingSeriesParams, _ context: inout Context
  ) throws(RPCError) -> JSONFragment<TrainingSeriesResult> {
    // Mostly it is the series that was asked for last.
    if let known = keptSeries[context.folder], known.today == context.today,
      (known.params.from, known.params.to, known.params.by, known.params.muscle)
        == (params.from, params.to, params.by, params.muscle)
    {
      return JSONFragment(unchecked: known.text)
    }
    let text = try series(params, context).json
    keptSeries[context.folder] = (params, context.today, text)
    return JSONFragment(unchecked: text)
  }

  private func series(
    _ params: TrainingSeriesParams, _ context: Context
  ) throws(RPCError) -> TrainingSeriesResult {
    let numbers = try numbers(context)
    let revision = try context.storeRevision()
    let step = params.by ?? .week
    guard let from = params.from ?? numbers.sessions.first?.day else {
      return TrainingSeriesResult(points: [], revision: revision)
    }
    let to = params.to ?? max(context.today, from)
    if params.from == nil, to < from { return TrainingSeriesResult(points: [], revision: revision) }
    let asked = try RPCError.days(from, to)
    let days = step == .day ? 1 : step == .week ? 7 : step == .month ? 28 : 365
    guard asked.dayCount / days < TrainingService.longestSeries else {
      throw RPCError(
        .invalidParams, "the series is too long", pointer: "/to",
        allowed: "at most \(TrainingService.longestSeries) points", hint: "“by” makes longer ones")
    }
    return TrainingSeriesResult(
      points: numbers.points(step, asked, firstWeekday: context.firstWeekday.index, muscle: params.muscle),
      revision: revision)
  }

  /// What an exercise is called now; nil of one that is not in the library.
  private func name(_ history: ExerciseHistory, _ library: TrainingLibrary) -> String? {
    history.exerciseId.flatMap { library.exercise($0)?.traits.name }
  }

  /// An exercise over time by its id, else by its name; nil when no session has it.
  private func history(
    _ id: EntityID?, _ name: String?, _ numbers: TrainingNumbers, _ library: TrainingLibrary
  ) -> ExerciseHistory? {
    if let id, let found = numbers.history(of: .id(id)) { return found }
    guard let name else { return nil }
    return numbers.history(of: TrainingNumbers.key(nil, name, library))
      ?? numbers.histories.first { SearchText.folded($0.name) == SearchText.folded(name) }
  }
}
