import DaybookProtocol
import Training
import Values

/// Which session had an exercise last: of each workout, and of all.
struct LastSessions {
  private struct OfWorkout: Hashable {
    let key: TrainingNumbers.ExerciseKey
    let workout: EntityID
  }

  private var byKey: [TrainingNumbers.ExerciseKey: EntityID] = [:]
  private var byWorkout: [OfWorkout: EntityID] = [:]

  init(_ book: SessionBook, _ library: TrainingLibrary) {
    let keys = book.identities.map { TrainingNumbers.key($0.exerciseId, $0.name, library) }
    for session in book.sessions {
      for exercise in session.exercises {
        let key = keys[exercise.identity]
        byKey[key] = session.id
        if let workout = session.workoutId { byWorkout[OfWorkout(key: key, workout: workout)] = session.id }
      }
    }
  }

  /// The last session that has an exercise, of a workout first; nil for none.
  func session(of key: TrainingNumbers.ExerciseKey, workout: EntityID?) -> EntityID? {
    workout.flatMap { byWorkout[OfWorkout(key: key, workout: $0)] } ?? byKey[key]
  }
}
