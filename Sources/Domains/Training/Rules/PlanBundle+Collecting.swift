import DaybookProtocol
import Values

/// Where what a bundle needs is found.
package struct BundleSource<Failure: Error> {
  package let module: (EntityID) throws(Failure) -> Module?
  package let workout: (EntityID) throws(Failure) -> Workout?
  /// Exercises of the user's own.
  package let exercise: (EntityID) throws(Failure) -> CustomExercise?
  /// Equipment that was added, or changed.
  package let equipment: (EntityID) throws(Failure) -> Equipment?
  /// Whether an exercise, or a piece of equipment, is there everywhere.
  package let comesWithProgram: (EntityID) -> Bool

  package init(
    module: @escaping (EntityID) throws(Failure) -> Module?, workout: @escaping (EntityID) throws(Failure) -> Workout?,
    exercise: @escaping (EntityID) throws(Failure) -> CustomExercise?,
    equipment: @escaping (EntityID) throws(Failure) -> Equipment?, comesWithProgram: @escaping (EntityID) -> Bool
  ) {
    (self.module, self.workout, self.exercise, self.equipment) = (module, workout, exercise, equipment)
    self.comesWithProgram = comesWithProgram
  }
}

extension PlanBundle {
  /// Takes in everything that it needs. What is gone is not named any more.
  package mutating func complete<Failure: Error>(from source: BundleSource<Failure>) throws(Failure) {
    var taken = self
    try taken.takePlans(source)
    try taken.takeExercises(source)
    self = taken.withoutLocalState
  }

  private mutating func takePlans<Failure: Error>(_ source: BundleSource<Failure>) throws(Failure) {
    var slots: [ProgramSlot] = []
    for slot in program?.slots ?? [] {
      if let id = slot.workoutId {
        guard let workout = try source.workout(id) else { continue }
        if !workouts.contains(where: { $0.id == id }) { workouts.append(workout) }
      }
      guard try take(slot.moduleId, source) else { continue }
      slots.append(slot)
    }
    program?.slots = slots
    if let workout { self.workout = try withModules(workout, source) }
    for index in workouts.indices { workouts[index] = try withModules(workouts[index], source) }
    let planned = Set(
      (allModules.flatMap(\.module.exercises) + allWorkouts.flatMap(\.workout.exercises)).map(\.id))
    program?.progression?.exercises?.removeAll { !planned.contains($0.exerciseId) }
  }

  /// Takes a module in, if one is named; false when it is gone.
  private mutating func take<Failure: Error>(
    _ id: EntityID?, _ source: BundleSource<Failure>
  ) throws(Failure) -> Bool {
    guard let id, !modules.contains(where: { $0.id == id }) else { return true }
    guard let module = try source.module(id) else { return false }
    modules.append(module)
    return true
  }

  private mutating func withModules<Failure: Error>(
    _ workout: Workout, _ source: BundleSource<Failure>
  ) throws(Failure) -> Workout {
    var (kept, references) = (workout, [ModuleReference]())
    for reference in workout.modules where try take(reference.moduleId, source) { references.append(reference) }
    kept.modules = references
    return kept
  }

  private mutating func takeExercises<Failure: Error>(_ source: BundleSource<Failure>) throws(Failure) {
    var (exercises, pieces) = ([EntityID: CustomExercise](), [EntityID: Equipment]())
    func known(_ id: EntityID?) throws(Failure) -> EntityID? {
      guard let id else { return nil }
      if exercises[id] == nil { exercises[id] = try source.exercise(id) }
      return exercises[id] != nil || source.comesWithProgram(id) ? id : nil
    }
    func known(_ traits: TrainingTraits) throws(Failure) -> TrainingTraits {
      var (kept, ids) = (traits, [EntityID]())
      for id in traits.equipmentIds ?? [] {
        if pieces[id] == nil { pieces[id] = try source.equipment(id) }
        if pieces[id] != nil || source.comesWithProgram(id) { ids.append(id) }
      }
      kept.equipmentIds = ids.isEmpty && traits.equipmentIds?.isEmpty != true ? nil : ids
      return kept
    }
    try changeExercises { id, traits throws(Failure) in (id, traits) = (try known(id), try known(traits)) }
    for (id, exercise) in exercises { exercises[id]?.traits = try known(exercise.traits) }
    customExercises = exercises.values.sorted { $0.id < $1.id }
    equipment = pieces.values.sorted { $0.id < $1.id }
  }

  /// Changes what exercises of plans and of the session are made from, and what they are.
  private mutating func changeExercises<Failure: Error>(
    _ change: (inout EntityID?, inout TrainingTraits) throws(Failure) -> Void
  ) throws(Failure) {
    func changed(_ exercises: [PlannedExercise]) throws(Failure) -> [PlannedExercise] {
      var exercises = exercises
      for index in exercises.indices {
        var exercise = exercises[index]
        try change(&exercise.exerciseId, &exercise.traits)
        exercises[index] = exercise
      }
      return exercises
    }
    if let module { self.module?.exercises = try changed(module.exercises) }
    if let workout { self.workout?.exercises = try changed(workout.exercises) }
    for index in modules.indices { modules[index].exercises = try changed(modules[index].exercises) }
    for index in workouts.indices { workouts[index].exercises = try changed(workouts[index].exercises) }
    for m in (session?.modules ?? []).indices {
      for e in (session?.modules[m].exercises ?? []).indices {
        guard var exercise = session?.modules[m].exercises[e] else { continue }
        try change(&exercise.exerciseId, &exercise.traits)
        session?.modules[m].exercises[e] = exercise
      }
    }
  }

  /// The same without what means something in one folder only: when a program runs, what plans a session came from, how often it was
  /// corrected.
  package var withoutLocalState: PlanBundle {
    var bundle = self
    if var program {
      (program.active, program.startDay, program.endDay) = (nil, nil, nil)
      bundle.program = program
    }
    if var session {
      (session.workoutId, session.scheduledId, session.programId, session.version) = (nil, nil, nil, 1)
      for m in session.modules.indices {
        session.modules[m].moduleId = nil
        for e in session.modules[m].exercises.indices {
          session.modules[m].exercises[e].plannedId = nil
          for g in session.modules[m].exercises[e].groups.indices {
            session.modules[m].exercises[e].groups[g].plannedId = nil
          }
        }
      }
      bundle.session = session
    }
    return bundle
  }
}
