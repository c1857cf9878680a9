import CivilTime
import DaybookProtocol
import DomainKit
import Training
import Values

extension WorkoutSession: CheckedEntity {
  /// What the rules refuse, and a weight whose kilograms are others.
  package var problem: Refusal? {
    do throws(Refusal) {
      return try normalized() == self
        ? nil : Refusal("/body/modules", .conflict, "the kilograms of a weight are not what it comes to")
    } catch { return error.inside("/body") }
  }
}

extension FormerSession: CheckedEntity {
  /// One whose id does not follow from its session: it would be no version of it.
  package var problem: Refusal? {
    if let problem = session.problem { return problem.inside("/body/session") }
    return id == DerivedID.formerSession(session.id, session.version)
      ? nil : Refusal("/body/id", "the id of an earlier version follows from the session and the version")
  }
}

extension FormerSession {
  /// A session as it was before its next version was stored.
  init(_ session: WorkoutSession, replacedAt instant: Instant) {
    self.init(
      id: DerivedID.formerSession(session.id, session.version), session: session, createdAt: instant,
      updatedAt: instant)
  }
}

extension ProgressionState: CheckedEntity {
  /// One whose id does not follow from what it is of: there would be two.
  package var problem: Refusal? {
    id == DerivedID.progressionState(programId, exerciseId)
      ? nil : Refusal("/body/id", "the id of a progression state follows from the program and the exercise")
  }
}

extension DerivedID {
  /// A version of a session that there is a later one of.
  static func formerSession(_ session: EntityID, _ version: Int) -> EntityID {
    id("former session\u{1F}", Array("\(session) \(version)".utf8))
  }

  /// What is remembered of an exercise of a program.
  static func progressionState(_ program: EntityID, _ exercise: EntityID) -> EntityID {
    id("progression state\u{1F}", Array("\(program) \(exercise)".utf8))
  }

  /// A part of a workout that was made of a part of a session.
  static func workoutPart(_ workout: EntityID, _ part: EntityID) -> EntityID {
    id("workout part\u{1F}", Array("\(workout) \(part)".utf8))
  }
}
