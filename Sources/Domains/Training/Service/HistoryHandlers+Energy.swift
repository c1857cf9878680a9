import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  /// Writes into a session what it burned, and says what is to be stored of that: the exercise it is logged as. Of a corrected session the
  /// estimate stays where nothing changed that says how much it was.
  ///
  /// - Parameter old: The version before; nil of a session that has just been finished.
  func energyOperations(
    _ session: inout WorkoutSession, after old: WorkoutSession? = nil, _ context: Context
  ) throws(RPCError) -> [Operation] {
    if old.map({ !session.hasSameWork(as: $0) }) ?? true {
      session.kcal = SessionEnergy.kcal(of: session, weight: try bodyWeight(session, context))
    }
    let record = try context.snapshot().record(session.id, in: Exercise.collection)
    let stored = try record.map { record throws(RPCError) in try context.decode(Exercise.self, record) }
    let exercise = LoggedExercise.exercise(
      of: session, after: old, stored: stored, isWanted: try trainingSettings(context).logsEnergy,
      zone: context.days.zone, at: context.now)
    guard exercise != stored else { return [] }
    return [
      try exercise.map { exercise throws(RPCError) in try context.put(exercise, keeping: record) }
        ?? .delete(Exercise.collection, id: session.id)
    ]
  }

  /// What the user weighed on the day of a session, kg: as it says, else by the scales of that day or the last one before it, else by the
  /// settings.
  private func bodyWeight(
    _ session: WorkoutSession, _ context: Context
  ) throws(RPCError) -> Double {
    if let weight = session.bodyWeight { return weight.double }
    if let weight = try weight(on: session.day, context) { return weight.double }
    return try context.settings().startingWeight.double
  }

  /// What the scales said last up to a day, kg; nil for nothing.
  func weight(on day: CivilDay, _ context: Context) throws(RPCError) -> Decimal? {
    var latest: Record?
    try context.snapshot().forEachRecord(in: WeightEntry.collection, days: CivilDay.allowed.lowerBound...day) {
      record in
      latest = copy record
      return false
    }
    return try latest.map { record throws(RPCError) in try context.decode(WeightEntry.self, record).weight }
  }
}
