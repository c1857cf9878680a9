import DaybookProtocol
import FileStore
import JSONRPC

/// What domains let others do with their records, as the `offers` of the domain files declare; nil where no domain does,
/// and the others do without. Used on any thread.
package struct RecordOffers: Sendable {
  package let bodyWeights: (any BodyWeights.Type)?
  package let exerciseEntries: (any ExerciseEntries.Type)?

  package init(
    bodyWeights: (any BodyWeights.Type)? = nil, exerciseEntries: (any ExerciseEntries.Type)? = nil
  ) {
    self.bodyWeights = bodyWeights
    self.exerciseEntries = exerciseEntries
  }
}

/// A domain that keeps body weights.
package protocol BodyWeights: SendableMetatype {
  /// Calls `body` for each body weight up to a day, kg, the latest first, until it returns false. Skips unreadable ones.
  static func forEachBodyWeight(
    upTo day: CivilDay, in records: ProjectionSource, _ body: (CivilDay, Decimal) -> Bool)
}

/// A domain that keeps exercise entries, also for activities that other domains record: one each, under the id of the
/// activity.
package protocol ExerciseEntries: SendableMetatype {
  /// The entry of an activity; nil for none.
  ///
  /// - Throws: The error of an unreadable entry.
  static func entry(of activity: EntityID, in records: ProjectionSource) throws(RPCError) -> ExerciseEntry?

  /// The operations that store the entry of an activity, or delete it if nil; none when it is stored so. Members that
  /// the activity does not know stay.
  ///
  /// - Throws: The error of an unreadable entry.
  static func operations(
    storing entry: ExerciseEntry?, of activity: EntityID, in records: ProjectionSource, at now: Instant
  ) throws(RPCError) -> [Operation]
}

/// What an activity says about its exercise entry.
package struct ExerciseEntry: Equatable, Sendable {
  package var day: CivilDay
  /// The zone of the time of day.
  package var zone: TimeZoneName
  package var at: WallTime?
  package var name: String
  /// The energy burned beyond rest, kcal, 1 to 20,000.
  package var calories: Int
  /// The duration, 1 to 1440.
  package var minutes: Int?

  package init(day: CivilDay, zone: TimeZoneName, at: WallTime?, name: String, calories: Int, minutes: Int?) {
    self.day = day
    self.zone = zone
    self.at = at
    self.name = name
    self.calories = calories
    self.minutes = minutes
  }
}
