import DaybookProtocol

/// Why a change of the running session is refused.
package enum RunningRefusal: Error, Equatable {
  /// The session lacks something that the request names.
  case missing(pointer: String, noun: String)
  /// The last one of its kind cannot be deleted.
  case lastOne(String)
  /// A value violates a rule.
  case value(Refusal)
}

/// The running session with its exercises. Every exercise has a set.
package struct RunningWorkout: Equatable, Sendable {
  package var session: RunningSession
  /// The exercises by id: exactly those that `session.modules` names.
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

  /// The position of a set; nil when it is missing.
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

  /// The set at a position; nil for none.
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

  /// The current set; nil for none.
  package var current: RunningPlace? { self[session.position] }

  /// The done and total number of sets in modules that are not skipped; two sides count as one set, which is done when
  /// both are.
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

/// A set of the running session with the parts that contain it.
package struct RunningPlace: Equatable, Sendable {
  package let position: SessionPosition
  package let module: RunningModule
  package let exercise: SessionExercise

  package var group: SessionGroup { exercise.groups[position.group] }
  package var set: SetRecord { group.sets[position.set] }
  /// The kind of the set: its own, else that of its group.
  package var kind: SetKind { self.set.kind ?? group.kind ?? .normal }
}

extension SessionGroup {
  /// Adds the group's sets to a progress; two sides count as one.
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

extension SessionGroup {
  /// The sets in order, two sides of one set together.
  var logicalSets: [[SetRecord]] {
    zip(sets, sets.areSecondSides).reduce(into: []) { sets, set in
      if set.1 { sets[sets.count - 1].append(set.0) } else { sets.append([set.0]) }
    }
  }
}

extension SessionExercise {
  /// The sets in order, two sides of one set together.
  package var logicalSets: [[SetRecord]] { groups.flatMap(\.logicalSets) }

  /// Numbers the sets from 1 through all groups; two sides share a number.
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
  /// Milliseconds since the start, without pauses; 0 when the clock was set back to before the start.
  package func elapsedMs(_ now: Instant) -> Int64 {
    max(0, min(pausedAt ?? now, now).milliseconds - startedAt.milliseconds - Int64(pausedMs))
  }

  /// Pauses the session and its timer.
  package mutating func pause(_ now: Instant) {
    guard pausedAt == nil else { return }
    pausedAt = max(now, startedAt)
    timer?.pause(now)
  }

  /// Resumes the session and its timer.
  package mutating func resume(_ now: Instant) {
    guard let pausedAt else { return }
    pausedMs += Int(max(0, now.milliseconds - pausedAt.milliseconds))
    self.pausedAt = nil
    timer?.resume(now)
  }
}

extension RunningWorkout {
  /// The finished session. Sets that were not done stay in it as such.
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
  /// The kind of a module with a single exercise of this kind.
  package var defaultModuleKind: ModuleKind {
    switch self {
    case .strength, .unknown: .strength
    case .cardio: .cardioLong
    case .explosive: .explosive
    case .mobility, .isometric: .prehab
    case .recovery: .recovery
    }
  }
}
