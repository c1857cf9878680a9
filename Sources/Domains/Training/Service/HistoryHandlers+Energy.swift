import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  /// Writes into a session what it burned, and says what is to be stored of that: the exercise it is logged as, under its own id, so that
  /// it counts once. Of a corrected session the exercise follows, unless it was deleted by hand.
  ///
  /// - Parameter keepsEnergy: Whether nothing changed that says how much it was.
  func energyOperations(
    _ session: inout WorkoutSession, _ context: Context, keepsEnergy: Bool = false
  ) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    if !keepsEnergy {
      session.kcal = SessionEnergy.kcal(of: session, weight: try bodyWeight(session, context))
    }
    let record = snapshot.record(session.id, in: Exercise.collection)
    guard let kcal = session.kcal, kcal > 0 else {
      return record == nil ? [] : [.delete(Exercise.collection, id: session.id)]
    }
    if record == nil {
      guard snapshot.record(session.id, in: WorkoutSession.collection) == nil,
        try trainingSettings(context).logsEnergy
      else { return [] }
    }
    let clock = context.days.zone.wallClock(at: session.startedAt)
    let old = try record.map { record throws(RPCError) in try context.decode(Exercise.self, record) }
    var exercise =
      old
      ?? Exercise(
        id: session.id, day: session.day, zone: session.zone, name: session.name, calories: kcal,
        source: ExerciseSource(kind: .training, id: session.id), createdAt: context.now, updatedAt: context.now)
    (exercise.day, exercise.zone, exercise.name) = (session.day, session.zone, session.name)
    exercise.calories = min(kcal, 20_000)
    exercise.minutes = session.seconds < 30 ? nil : min((session.seconds + 30) / 60, 1440)
    exercise.at = clock.day == session.day ? WallTime(minutesOfDay: clock.secondOfDay / 60) : nil
    guard exercise != old else { return [] }
    exercise.updatedAt = max(context.now, old?.updatedAt.advanced(by: 1) ?? context.now)
    return [try context.put(exercise, keeping: record)]
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
