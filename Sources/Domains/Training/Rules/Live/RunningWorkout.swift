import CivilTime
import DaybookProtocol
import Values

/// Why the running session cannot be changed as it was asked for.
package enum RunningRefusal: Error, Equatable {
  /// Something that the request names is not in it.
  case missing(pointer: String, noun: String)
  /// The last of its kind has to stay.
  case lastOne(String)
  /// A value is wrong.
  case value(Refusal)
}

/// The running session with its exercises: a value, which each change makes another. Every exercise has a set.
package struct RunningWorkout: Equatable, Sendable {
  package var session: RunningSession
  /// Its exercises by id; those that `session.modules` names, and no others.
  package var exercises: [EntityID: SessionExercise]

  package init(_ session: RunningSession, _ exercises: [EntityID: SessionExercise]) {
    self.session = session
    self.exercises = exercises
  }

  /// The exercises of each module, in order.
  package var modules: [[SessionExercise]] {
    session.modules.map { module in module.exerciseIds.compactMap { exercises[$0] } }
  }

  /// All exercises, in the order of the modules.
  package var all: [SessionExercise] { session.modules.flatMap(\.exerciseIds).compactMap { exercises[$0] } }

  /// The index of the module that has an exercise.
  package func module(of exercise: EntityID) -> Int? {
    session.modules.firstIndex { $0.exerciseIds.contains(exercise) }
  }

  /// The place of a set; nil when it is not there.
  package func position(ofSet id: EntityID) -> SessionPosition? {
    for (module, list) in modules.enumerated() {
      for (exercise, one) in list.enumerated() {
        for (group, sets) in one.groups.enumerated() {
          if let set = sets.sets.firstIndex(where: { $0.id == id }) {
            return SessionPosition(module: module, exercise: exercise, group: group, set: set)
          }
        }
      }
    }
    return nil
  }

  /// What is at a place; nil when nothing is.
  package subscript(position: SessionPosition?) -> RunningPlace? {
    guard let position, session.modules.indices.contains(position.module) else { return nil }
    let module = session.modules[position.module]
    guard module.exerciseIds.indices.contains(position.exercise),
      let exercise = exercises[module.exerciseIds[position.exercise]],
      exercise.groups.indices.contains(position.group),
      exercise.groups[position.group].sets.indices.contains(position.set)
    else { return nil }
    return RunningPlace(position: position, module: module, exercise: exercise)
  }

  /// The set the user is at; nil while there is none.
  package var current: RunningPlace? { self[session.position] }

  /// How many sets are done, and how many there are in modules that are not skipped; both sides of one count as one, which is done
  /// when both are.
  package var progress: (done: Int, sets: Int) {
    var progress = (done: 0, sets: 0)
    for module in session.modules where module.skipped != true {
      for id in module.exerciseIds {
        for group in exercises[id]?.groups ?? [] { group.count(&progress) }
      }
    }
    return progress
  }
}

/// A set of the running session, with what it is in.
package struct RunningPlace: Equatable, Sendable {
  package let position: SessionPosition
  package let module: RunningModule
  package let exercise: SessionExercise

  package var group: SessionGroup { exercise.groups[position.group] }
  package var set: SetRecord { group.sets[position.set] }
  /// What the set is for: its own kind, else that of its group.
  package var kind: SetKind { self.set.kind ?? group.kind ?? .normal }
}

extension SessionGroup {
  /// Adds its sets to a progress, both sides of one as one.
  fileprivate func count(_ progress: inout (done: Int, sets: Int)) {
    for (index, isSecond) in sets.areSecondSides.enumerated() {
      let done = sets[index].done == true
      if isSecond {
        if sets[index - 1].done == true, !done { progress.done -= 1 }
      } else {
        progress.sets += 1
        if done { progress.done += 1 }
      }
    }
  }
}

extension SessionExercise {
  /// Its sets in order, both sides of one together.
  package var logicalSets: [[SetRecord]] {
    groups.flatMap { group in
      zip(group.sets, group.sets.areSecondSides).reduce(into: [[SetRecord]]()) { sets, set in
        if set.1 { sets[sets.count - 1].append(set.0) } else { sets.append([set.0]) }
      }
    }
  }

  /// Gives its sets their numbers, from 1 through all groups; both sides of one have the same.
  mutating func number() {
    var number = 0
    for group in groups.indices {
      for (set, isSecond) in groups[group].sets.areSecondSides.enumerated() {
        if !isSecond { number += 1 }
        groups[group].sets[set].number = number
      }
    }
  }
}

extension RunningSession {
  /// Milliseconds since it began, without pauses; none when the clock was set back before that.
  package func elapsedMs(_ now: Instant) -> Int64 {
    max(0, min(pausedAt ?? now, now).milliseconds - startedAt.milliseconds - Int64(pausedMs))
  }

  /// Stops it for a while, and its timer.
  package mutating func pause(_ now: Instant) {
    guard pausedAt == nil else { return }
    pausedAt = max(now, startedAt)
    timer?.pause(now)
  }

  /// Lets it go on, and its timer.
  package mutating func resume(_ now: Instant) {
    guard let pausedAt else { return }
    pausedMs += Int(max(0, now.milliseconds - pausedAt.milliseconds))
    self.pausedAt = nil
    timer?.resume(now)
  }
}

extension RunningWorkout {
  /// The finished session. What was not done stays as not done; progress of what was proposed is kept.
  package func finished(at end: Instant, now: Instant) -> WorkoutSession {
    WorkoutSession(
      id: session.id, day: session.day, zone: session.zone, version: 1, startedAt: session.startedAt, endedAt: end,
      seconds: min(Int(session.elapsedMs(end) / 1000), SessionRules.mostSeconds), name: session.name,
      workoutId: session.workoutId,
      scheduledId: session.scheduledId, programId: session.programId, programName: session.programName,
      programWeek: session.programWeek, freestyle: session.freestyle,
      modules: zip(session.modules, modules).map { module, exercises in
        SessionModule(
          id: module.id, moduleId: module.moduleId, name: module.name, kind: module.kind, skipped: module.skipped,
          exercises: exercises)
      }, bodyWeight: session.bodyWeight, note: session.note, createdAt: now, updatedAt: now)
  }
}

extension TrainingKind {
  /// The kind of a module that has one exercise of the kind.
  package var usualModule: ModuleKind {
    switch self {
    case .strength, .unknown: .strength
    case .cardio: .cardioLong
    case .explosive: .explosive
    case .mobility, .isometric: .prehab
    case .recovery: .recovery
    }
  }
}
