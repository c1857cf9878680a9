import DomainKit
import Training

/// The exercise entry that a finished session is logged as, in the domain that keeps them.
package enum LoggedExercise {
  /// The entry to store for a finished session, given the stored one.
  ///
  /// - Parameters:
  ///   - old: The previous version; nil for a session that has just been finished.
  ///   - stored: The stored entry. Members that the user has corrected by hand, so that they differ from the previous
  ///     version, are kept.
  ///   - isWanted: Whether sessions are logged.
  ///   - zone: The zone of the entry's time of day.
  /// - Returns: Nil for no entry: without energy; and when no entry is stored although the previous version had energy,
  ///   as the user deleted it, or the session was imported.
  package static func entry(
    of session: WorkoutSession, after old: WorkoutSession?, stored: ExerciseEntry?, isWanted: Bool,
    zone: TimeZoneRules
  ) -> ExerciseEntry? {
    let before = old.flatMap { entry(of: $0, zone) }
    guard var next = entry(of: session, zone) else { return stored?.calories == before?.calories ? nil : stored }
    guard let stored else { return isWanted && before == nil && session.importedFrom == nil ? next : nil }
    guard let before else { return next }
    if stored.day != before.day { (next.day, next.zone) = (stored.day, stored.zone) }
    if stored.at != before.at { next.at = stored.at }
    if stored.name != before.name { next.name = stored.name }
    if stored.calories != before.calories { next.calories = stored.calories }
    if stored.minutes != before.minutes { next.minutes = stored.minutes }
    return next
  }

  /// The entry of a session without corrections; nil without energy.
  private static func entry(of session: WorkoutSession, _ zone: TimeZoneRules) -> ExerciseEntry? {
    guard let kcal = session.kcal, kcal > 0 else { return nil }
    let clock = zone.wallClock(at: session.startedAt)
    return ExerciseEntry(
      day: session.day, zone: session.zone,
      at: clock.day == session.day ? WallTime(minutesOfDay: clock.secondOfDay / 60) : nil, name: session.name,
      calories: min(kcal, 20_000), minutes: session.seconds < 30 ? nil : min((session.seconds + 30) / 60, 1440))
  }
}

extension TrainingService {
  /// Sets the energy estimate of a session. A corrected session keeps its estimate when nothing changed that the
  /// estimate depends on.
  ///
  /// - Parameter old: The previous version; nil for a session that has just been finished.
  /// - Returns: The operations that update the exercise entry the session is logged as; none where no domain keeps
  ///   exercise entries.
  func energyOperations(
    _ session: inout WorkoutSession, after old: WorkoutSession? = nil, _ context: Context
  ) throws(RPCError) -> [Operation] {
    if old.map({ !session.hasSameWork(as: $0) }) ?? true {
      session.kcal = SessionEnergy.kcal(of: session, weight: try bodyWeight(session, context))
    }
    guard let entries = context.offers.records.exerciseEntries else { return [] }
    let records = try ProjectionSource(context)
    let entry = LoggedExercise.entry(
      of: session, after: old, stored: try entries.entry(of: session.id, in: records),
      isWanted: try trainingSettings(context).logsEnergy, zone: context.days.zone)
    return try entries.operations(storing: entry, of: session.id, in: records, at: context.now)
  }

  /// The body weight for a session in kg: the session's own, else the latest logged up to its day, else the starting
  /// weight.
  private func bodyWeight(_ session: WorkoutSession, _ context: Context) throws(RPCError) -> Double {
    if let weight = session.bodyWeight { return weight.double }
    if let weight = try weight(on: session.day, context) { return weight.double }
    return try context.settings().startingWeight.double
  }

  /// The latest logged body weight up to a day, in kg; nil for none, and where no domain keeps body weights.
  func weight(on day: CivilDay, _ context: Context) throws(RPCError) -> Decimal? {
    var latest: Decimal?
    context.offers.records.bodyWeights?.forEachBodyWeight(upTo: day, in: try ProjectionSource(context)) {
      latest = $1
      return false
    }
    return latest
  }
}
