import DomainKit

extension NutritionService {
  package static func forEachBodyWeight(
    upTo day: CivilDay, in records: ProjectionSource, _ body: (CivilDay, Decimal) -> Bool
  ) {
    guard day >= CivilDay.allowed.lowerBound else { return }
    records.snapshot.forEachRecord(in: WeightEntry.collection, days: CivilDay.allowed.lowerBound...day) { record in
      guard let entry: WeightEntry = records.readable(record) else { return true }
      return body(entry.day, entry.weight)
    }
  }

  package static func entry(
    of activity: EntityID, in records: ProjectionSource
  ) throws(RPCError) -> ExerciseEntry? {
    guard let record = records.snapshot.record(activity, in: Exercise.collection) else { return nil }
    let exercise = try records.migrations.decode(Exercise.self, record)
    return ExerciseEntry(
      day: exercise.day, zone: exercise.zone, at: exercise.at, name: exercise.name, calories: exercise.calories,
      minutes: exercise.minutes)
  }

  package static func operations(
    storing entry: ExerciseEntry?, of activity: EntityID, in records: ProjectionSource, at now: Instant
  ) throws(RPCError) -> [Operation] {
    let record = records.snapshot.record(activity, in: Exercise.collection)
    guard let entry else { return record == nil ? [] : [.delete(Exercise.collection, id: activity)] }
    let stored = try record.map { record throws(RPCError) in try records.migrations.decode(Exercise.self, record) }
    var next =
      stored
      ?? Exercise(
        id: activity, day: entry.day, zone: entry.zone, name: entry.name, calories: entry.calories,
        source: ExerciseSource(kind: .training, id: activity), createdAt: now, updatedAt: now)
    (next.day, next.zone, next.at, next.name) = (entry.day, entry.zone, entry.at, entry.name)
    (next.calories, next.minutes) = (entry.calories, entry.minutes)
    guard next != stored else { return [] }
    return [try records.migrations.put(&next, keeping: record, readAs: stored, at: now)]
  }
}
