import DaybookProtocol

/// Finds what the plans of a bundle reference.
package protocol BundleSource {
  associatedtype Failure: Error

  func module(_ id: EntityID) throws(Failure) -> Module?
  func workout(_ id: EntityID) throws(Failure) -> Workout?
  func customExercise(_ id: EntityID) throws(Failure) -> CustomExercise?
  /// Stored equipment: pieces that were added, or built-in ones that were changed.
  func equipment(_ id: EntityID) throws(Failure) -> Equipment?
  /// Whether an exercise or a piece of equipment is built in.
  func isBuiltIn(_ id: EntityID) -> Bool
}

extension PlanBundle {
  /// Adds everything that the plans reference, and drops references to what is missing.
  package mutating func complete<Source: BundleSource>(from source: Source) throws(Source.Failure) {
    var completed = self
    try completed.addPlans(source)
    try completed.addExercises(source)
    self = completed.withoutLocalState
  }

  private mutating func addPlans<Source: BundleSource>(_ source: Source) throws(Source.Failure) {
    var slots: [ProgramSlot] = []
    for slot in program?.slots ?? [] {
      if let id = slot.workoutId {
        guard let workout = try source.workout(id) else { continue }
        if !workouts.contains(where: { $0.id == id }) { workouts.append(workout) }
      }
      guard try addModule(slot.moduleId, source) else { continue }
      slots.append(slot)
    }
    program?.slots = slots
    if let workout { self.workout = try withModules(workout, source) }
    for index in workouts.indices { workouts[index] = try withModules(workouts[index], source) }
    let planned = Set(
      (allModules.flatMap(\.module.exercises) + allWorkouts.flatMap(\.workout.exercises)).map(\.id))
    program?.progression?.exercises?.removeAll { !planned.contains($0.exerciseId) }
  }

  /// Adds a module, if one is named; false when it is missing.
  private mutating func addModule<Source: BundleSource>(
    _ id: EntityID?, _ source: Source
  ) throws(Source.Failure) -> Bool {
    guard let id, !modules.contains(where: { $0.id == id }) else { return true }
    guard let module = try source.module(id) else { return false }
    modules.append(module)
    return true
  }

  private mutating func withModules<Source: BundleSource>(
    _ workout: Workout, _ source: Source
  ) throws(Source.Failure) -> Workout {
    var (kept, references) = (workout, [ModuleReference]())
    for reference in workout.modules where try addModule(reference.moduleId, source) { references.append(reference) }
    kept.modules = references
    return kept
  }

  private mutating func addExercises<Source: BundleSource>(_ source: Source) throws(Source.Failure) {
    var (exercises, pieces) = ([EntityID: CustomExercise](), [EntityID: Equipment]())
    func known(_ id: EntityID?) throws(Source.Failure) -> EntityID? {
      guard let id else { return nil }
      if exercises[id] == nil { exercises[id] = try source.customExercise(id) }
      return exercises[id] != nil || source.isBuiltIn(id) ? id : nil
    }
    func known(_ traits: TrainingTraits) throws(Source.Failure) -> TrainingTraits {
      var (kept, ids) = (traits, [EntityID]())
      for id in traits.equipmentIds ?? [] {
        if pieces[id] == nil { pieces[id] = try source.equipment(id) }
        if pieces[id] != nil || source.isBuiltIn(id) { ids.append(id) }
      }
      kept.equipmentIds = ids.isEmpty && traits.equipmentIds?.isEmpty != true ? nil : ids
      return kept
    }
    try changeExercises { id, traits throws(Source.Failure) in (id, traits) = (try known(id), try known(traits)) }
    for (id, exercise) in exercises { exercises[id]?.traits = try known(exercise.traits) }
    customExercises = exercises.values.sorted { $0.id < $1.id }
    equipment = pieces.values.sorted { $0.id < $1.id }
  }

  /// Changes the library id and the traits of all exercises in plans and the session.
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

  /// The bundle without what only has a meaning in one folder: the activation of a program, the plans a session came
  /// from and its version.
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
