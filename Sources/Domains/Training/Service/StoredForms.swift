import DomainKit
import Training

extension TrainingService {
  package static let migrations = [
    // A version that does not know of the separate modules must not write a session without them.
    RecordMigrations.Steps(RunningSession.collection, RecordMigration("modules-beside-it") { $0 })
  ]
}

// The rules for stored entities from any source.

extension LibraryMark: CheckedEntity {}
extension CustomExercise: RuledEntity {}
extension Equipment: RuledEntity {}
extension TrainingSettings: RuledEntity {}
extension Module: RuledEntity {}
extension Workout: RuledEntity {}
extension Program: RuledEntity {}
extension ScheduledWorkout: RuledEntity {}
extension RunningSession: CheckedEntity {}
extension RunningExercise: CheckedEntity {}

extension RunningModules: CollectionEntity, CheckedEntity {
  /// Private to the service: clients see the modules in the session.
  package static var collection: CollectionName { CollectionName("running-modules") }
  package static var noun: String { "running session" }
  package var recordDay: CivilDay? { nil }
}

extension WorkoutSession: CheckedEntity {
  /// What the rules refuse, and a weight that contradicts its kilograms.
  package var problem: Refusal? {
    do throws(Refusal) {
      return try normalized() == self
        ? nil : Refusal("/body/modules", .conflict, "the kilograms of a weight contradict the weight")
    } catch { return error.inside("/body") }
  }
}

extension FormerSession: CheckedEntity {
  /// A wrong id would hide it from the versions of its session.
  package var problem: Refusal? {
    if let problem = session.problem { return problem.inside("/body/session") }
    return id == DerivedID.formerSession(session.id, session.version)
      ? nil : Refusal("/body/id", "the id of an earlier version follows from the session and the version")
  }
}

extension FormerSession {
  /// The version of a session that a later one replaces.
  init(_ session: WorkoutSession, replacedAt instant: Instant) {
    self.init(
      id: DerivedID.formerSession(session.id, session.version), session: session, createdAt: instant,
      updatedAt: instant)
  }
}

extension ProgressionState: CheckedEntity {
  /// A wrong id would allow a second state of the same exercise.
  package var problem: Refusal? {
    id == DerivedID.progressionState(programId, exerciseId)
      ? nil : Refusal("/body/id", "the id of a progression state follows from the program and the exercise")
  }
}

// MARK: ids

extension DerivedID {
  private static func of(_ kind: StaticString, _ text: String) -> EntityID { id(kind, Array(text.utf8)) }

  /// The id of a session's earlier version.
  static func formerSession(_ session: EntityID, _ version: Int) -> EntityID {
    of("former session\u{1F}", "\(session) \(version)")
  }

  /// The id of the progression state of a program's exercise.
  static func progressionState(_ program: EntityID, _ exercise: EntityID) -> EntityID {
    of("progression state\u{1F}", "\(program) \(exercise)")
  }

  /// The id that a part of a session gets in a workout made from it.
  static func workoutPart(_ workout: EntityID, _ part: EntityID) -> EntityID {
    of("workout part\u{1F}", "\(workout) \(part)")
  }

  /// The id that a part of a plan gets in a copy.
  static func planCopy(_ copy: EntityID, of id: EntityID) -> EntityID { of("plan copy\u{1F}", "\(copy) \(id)") }

  /// The id of the entry that a program's slot schedules on a day.
  static func scheduledWorkout(_ program: EntityID, _ slot: EntityID, _ day: CivilDay) -> EntityID {
    of("scheduled workout\u{1F}", "\(program) \(slot) \(day)")
  }

  /// The id of the placeholder for an exercise known by its name alone.
  static func missingExercise(_ name: String) -> EntityID { of("missing exercise\u{1F}", name) }

  /// The id that an item of a bundle gets by an import; `bundle` is derived from the bundle's content.
  static func bundled(_ id: EntityID, in bundle: EntityID) -> EntityID { of("bundle item\u{1F}", "\(bundle) \(id)") }
}
