import CivilTime
import DaybookProtocol
import Values

/// What a finished session is logged as: an exercise under its own id, so that it counts once.
package enum LoggedExercise {
  /// What a session is to be logged as, given what is stored.
  ///
  /// - Parameters:
  ///   - old: The version before; nil of a session that has just been finished.
  ///   - stored: What is logged. It follows the session in what the user has not corrected by hand: in what it has of the version before.
  ///   - isWanted: Whether sessions are logged.
  ///   - zone: The zone that its time of the day is told in.
  /// - Returns: Nil for nothing: of a session without energy; and where nothing is stored of one that had some before, as it was deleted
  ///   by hand, or of one that a table brought.
  package static func exercise(
    of session: WorkoutSession, after old: WorkoutSession?, stored: Exercise?, isWanted: Bool, zone: TimeZoneRules,
    at now: Instant
  ) -> Exercise? {
    let before = old.flatMap { exercise(of: $0, zone, now) }
    guard var next = exercise(of: session, zone, now) else {
      return stored?.calories == before?.calories ? nil : stored
    }
    guard let stored else { return isWanted && before == nil && session.importedFrom == nil ? next : nil }
    (next.source, next.note, next.createdAt) = (stored.source, stored.note, stored.createdAt)
    if let before {
      if stored.day != before.day { (next.day, next.zone) = (stored.day, stored.zone) }
      if stored.at != before.at { next.at = stored.at }
      if stored.name != before.name { next.name = stored.name }
      if stored.calories != before.calories { next.calories = stored.calories }
      if stored.minutes != before.minutes { next.minutes = stored.minutes }
    }
    next.updatedAt = stored.updatedAt
    if next != stored { next.updatedAt = now.following(stored.updatedAt) }
    return next
  }

  /// What a session by itself is logged as; nil without energy.
  private static func exercise(of session: WorkoutSession, _ zone: TimeZoneRules, _ now: Instant) -> Exercise? {
    guard let kcal = session.kcal, kcal > 0 else { return nil }
    let clock = zone.wallClock(at: session.startedAt)
    return Exercise(
      id: session.id, day: session.day, zone: session.zone,
      at: clock.day == session.day ? WallTime(minutesOfDay: clock.secondOfDay / 60) : nil, name: session.name,
      calories: min(kcal, 20_000), minutes: session.seconds < 30 ? nil : min((session.seconds + 30) / 60, 1440),
      source: ExerciseSource(kind: .training, id: session.id), createdAt: now, updatedAt: now)
  }
}
