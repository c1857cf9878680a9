import CivilTime
import DaybookProtocol
import Values

extension PlannedExercise {
  /// What is wrong with exercises that are stored; nil when nothing is. Pointers lead into them.
  static func problem(of exercises: [PlannedExercise]) -> Refusal? {
    let refusal =
      Refusal.tooMany(exercises.count, "exercises", most: SetRules.mostExercises) ?? .repeatedID(exercises.map(\.id))
    if let refusal { return refusal }
    for (place, exercise) in exercises.enumerated() {
      let refusal =
        exercise.traits.refusal?.inside("/traits") ?? SetGroup.problem(of: exercise.groups)?.inside("/groups")
      if let refusal { return refusal.inside("/\(place)") }
    }
    let supersets = exercises.map(\.supersetId)
    return zip(supersets, Supersets.cleaned(supersets)).enumerated().first { $1.0 != $1.1 }.map { place, _ in
      Refusal("/\(place)/supersetId", .conflict, "a superset has two exercises at least")
    }
  }
}

/// A plan with exercises of its own.
package protocol ExercisePlan: Equatable {
  var exercises: [PlannedExercise] { get set }
  var updatedAt: Instant { get set }
  /// What is wrong with it; nil when nothing is.
  var refusal: Refusal? { get }
}

extension Module: ExercisePlan {
  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    if let refusal = Refusal.name(name) { return refusal }
    return PlannedExercise.problem(of: exercises)?.inside("/exercises")
  }

  /// A copy with identities of its own, which follow from those of the module.
  package func copy(named name: String?, at instant: Instant, _ newID: (EntityID) -> EntityID) -> Module {
    var copy = self
    copy.id = newID(id)
    copy.name = name ?? self.name
    copy.exercises = exercises.copies(at: instant, newID)
    (copy.archived, copy.createdAt, copy.updatedAt) = (nil, instant, instant)
    return copy
  }
}

extension Workout: ExercisePlan {
  /// The most modules of a workout.
  static let mostModules = 50

  /// What is wrong with it; nil when nothing is.
  package var refusal: Refusal? {
    let refusal = Refusal.name(name) ?? .tooMany(modules.count, "modules", most: Workout.mostModules, "/modules")
    if let refusal { return refusal }
    if let place = modules.firstIndex(where: { $0.id == nil }) {
      return Refusal("/modules/\(place)/id", .missing, "a stored reference has an id")
    }
    return PlannedExercise.problem(of: exercises)?.inside("/exercises")
  }

  /// A copy with identities of its own, which follow from those of the workout. It names the modules that `modules` says.
  package func copy(
    named name: String?, at instant: Instant, modules: (EntityID) -> EntityID, _ newID: (EntityID) -> EntityID
  ) -> Workout {
    var copy = self
    copy.id = newID(id)
    copy.name = name ?? self.name
    copy.modules = self.modules.renamed(newID).map { reference in
      var renamed = reference
      renamed.moduleId = modules(reference.moduleId)
      return renamed
    }
    copy.exercises = exercises.copies(at: instant, newID)
    (copy.archived, copy.createdAt, copy.updatedAt) = (nil, instant, instant)
    return copy
  }
}

extension [PlannedExercise] {
  /// Copies with identities of their own.
  func copies(at instant: Instant, _ newID: (EntityID) -> EntityID) -> [PlannedExercise] {
    map { exercise in
      var copy = exercise
      copy.id = newID(exercise.id)
      copy.groups = exercise.groups.renamed(newID)
      copy.supersetId = exercise.supersetId.map(newID)
      copy.updatedAt = instant
      return copy
    }
  }

  /// How many sets there are; both sides of one count as one.
  package var sets: Int { reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.sets } } }

  /// About how long they take, seconds: 40 a set and its rest; intervals and limits as they say.
  package func seconds(rest: Int) -> Int {
    reduce(0) { sum, exercise in
      sum
        + exercise.groups.reduce(0) { sum, group in
          if group.mode == .interval {
            let (work, pause) = (group.workSeconds ?? SetRules.work, group.breakSeconds ?? SetRules.pause)
            return sum + group.sets * work + (group.sets - 1) * pause
          }
          return sum + group.sets * ((group.limitSeconds ?? 40) + (group.restSeconds ?? rest))
        }
    }
  }
}
