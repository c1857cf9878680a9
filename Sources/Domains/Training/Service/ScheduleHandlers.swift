import DomainKit
import Training

extension TrainingService {
  func scheduledWorkoutsAdd(
    _ params: ScheduledWorkoutsAddParams, _ context: inout Context
  ) throws(RPCError) -> ScheduledWorkoutsAddResult {
    var entry = ScheduledWorkout(
      id: params.id ?? context.newID(), day: params.day ?? context.currentDay,
      name: params.name ?? ScheduledWorkout.rest,
      workoutId: params.workoutId, moduleId: params.moduleId, note: params.note, createdAt: context.now,
      updatedAt: context.now)
    if let present = try context.find(ScheduledWorkout.self, params.id) {
      let known = try context.create(entry, isNewID: false) { _ in present.hasMembers(of: params) }
      return ScheduledWorkoutsAddResult(scheduledWorkout: known.entity, created: false, revision: known.revision)
    }
    if let refusal = entry.refusal { throw RPCError(refusal) }
    if let id = params.workoutId {
      let workout = try context.entity(Workout.self, id, pointer: "/workoutId")
      entry.name = params.name ?? workout.name
    } else if let id = params.moduleId {
      let module = try context.entity(Module.self, id, pointer: "/moduleId")
      entry.name = params.name ?? module.name
    }
    let revision = try context.commit([try context.put(new: entry)])
    return ScheduledWorkoutsAddResult(scheduledWorkout: entry, created: true, revision: revision)
  }

  func scheduledWorkoutsUpdate(
    _ params: ScheduledWorkoutsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ScheduledWorkoutsUpdateResult {
    let record = try context.record(of: ScheduledWorkout.self, params.id)
    let old = try context.decode(ScheduledWorkout.self, record)
    if params.completed != nil, old.sessionId != nil {
      throw RPCError(
        .sessionFinished, "it was done in a session", pointer: "/completed",
        hint: "“workoutSessions/delete” deletes the session")
    }
    var new = old
    new.patch(params)
    new.completed = new.completed == true ? true : nil
    if new.programId != nil, new.day != old.day {
      let planned = old.plannedDay ?? old.day
      new.plannedDay = new.day == planned ? nil : planned
    }
    let (entry, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
    return ScheduledWorkoutsUpdateResult(scheduledWorkout: entry, revision: revision)
  }

  // MARK: programs

  /// The days of a program that starts on a day.
  ///
  /// - Throws: `invalidParams` when it would end after the last allowed day; `pointer` leads to the member that causes
  ///   it.
  func days(
    of program: Program, from start: CivilDay, pointer: String, _ context: Context
  ) throws(RPCError) -> ProgramDays {
    let days = ProgramDays(
      program.slots, weeks: program.weeks, from: start, firstWeekday: context.firstWeekday.index)
    try RPCError.check(
      days.days.upperBound <= CivilDay.allowed.upperBound, "the program would end after the last allowed day",
      pointer: pointer, allowed: "an end up to \(CivilDay.allowed.upperBound)")
    return days
  }

  /// The entries of a program on its days, without missing workouts and modules.
  func entries(
    of program: Program, _ days: ProgramDays, _ context: Context
  ) throws(RPCError) -> [ScheduledWorkout] {
    var names: [EntityID: String] = [:]
    for slot in program.slots {
      if let id = slot.workoutId { names[id] = try context.find(Workout.self, id)?.name }
      if let id = slot.moduleId { names[id] = try context.find(Module.self, id)?.name }
    }
    return days.entries.compactMap { entry in
      let slot = entry.slot
      let content = slot.workoutId ?? slot.moduleId
      guard let slotId = slot.id, let name = content.map({ names[$0] }) ?? ScheduledWorkout.rest else { return nil }
      return ScheduledWorkout(
        id: DerivedID.scheduledWorkout(program.id, slotId, entry.day), day: entry.day, name: name,
        workoutId: slot.workoutId, moduleId: slot.moduleId, programId: program.id, slotId: slotId, week: entry.week,
        note: slot.note, createdAt: context.now, updatedAt: context.now)
    }
  }

  /// The open entries of a program from today on.
  func open(of program: EntityID, _ context: Context) throws(RPCError) -> [ScheduledWorkout] {
    try context.all(ScheduledWorkout.self, in: context.today...CivilDay.allowed.upperBound)
      .filter { $0.programId == program && !$0.isCompleted }
  }

  /// Replaces the open entries of a program by planned ones; entries in both stay as they are.
  ///
  /// - Parameter keepsMoved: Whether entries that the user moved to another day stay in any case.
  /// - Returns: The operations, and the change in the number of entries.
  func scheduling(
    _ planned: [ScheduledWorkout], of program: EntityID, keepsMoved: Bool, _ context: Context
  ) throws(RPCError) -> (operations: [Operation], difference: Int) {
    let snapshot = try context.snapshot()
    let ids = Set(planned.map(\.id))
    let gone = try open(of: program, context).filter { entry in
      entry.plannedDay == nil ? !ids.contains(entry.id) : !keepsMoved
    }
    let removed = Set(gone.map(\.id))
    var operations = gone.filter { !ids.contains($0.id) }.map(\.deletion)
    var added = 0
    for entry in planned {
      let record = snapshot.record(entry.id, in: ScheduledWorkout.collection)
      guard record == nil || removed.contains(entry.id) else { continue }
      var entry = entry
      if let record { entry.createdAt = record.createdAt }
      operations.append(try context.put(&entry, keeping: record))
      added += 1
    }
    return (operations, added - gone.count)
  }
}

extension ScheduledWorkout {
  /// The name of a rest day.
  static let rest = "Rest"

  /// The first violated rule; nil when there is none.
  package var refusal: Refusal? {
    if let refusal = Refusal.name(name) { return refusal }
    return workoutId != nil && moduleId != nil
      ? Refusal("/moduleId", .conflict, "it has a workout already", allowed: "one of them") : nil
  }
}
