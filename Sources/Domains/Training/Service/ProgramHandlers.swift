import DomainKit
import Training

extension TrainingService {
  func programsAdd(_ params: ProgramsAddParams, _ context: inout Context) throws(RPCError) -> ProgramsAddResult {
    let present = try context.find(Program.self, params.id)
    var program = Program(
      id: params.id ?? context.newID(), name: params.name, weeks: params.weeks ?? 4, slots: [],
      progression: params.progression, note: params.note, createdAt: context.now, updatedAt: context.now)
    program.slots = try slots(params.slots ?? [], keeping: present?.slots ?? [], of: program, context)
    if let refusal = program.refusal(since: nil) { throw RPCError(refusal) }
    var others = params
    others.slots = params.slots.map { _ in program.slots }
    let (stored, isNew, revision) = try context.create(program, isNewID: params.id == nil) {
      $0.hasMembers(of: others)
    }
    return ProgramsAddResult(program: stored, created: isNew, revision: revision)
  }

  func programsUpdate(
    _ params: ProgramsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsUpdateResult {
    let record = try context.record(of: Program.self, params.id)
    let old = try context.decode(Program.self, record)
    var new = old
    new.patch(params)
    new.archived = new.archived == true ? true : nil
    if let slots = params.slots { new.slots = try self.slots(slots, keeping: old.slots, of: new, context) }
    if let refusal = new.refusal(since: old) { throw RPCError(refusal) }
    var operations: [Operation] = []
    if let start = new.startDay, new.weeks != old.weeks || new.slots != old.slots {
      let days = try days(of: new, from: start, pointer: "/weeks", context)
      new.endDay = days.days.upperBound
      if new.active == true {
        let planned = try entries(of: new, days, context).filter { $0.day >= context.today }
        operations = try scheduling(planned, of: new.id, keepsMoved: true, context).operations
      }
    }
    guard let (program, put) = try context.edit(record, from: old, to: new, basedOn: params.revision) else {
      return ProgramsUpdateResult(program: old, revision: try context.storeRevision())
    }
    return ProgramsUpdateResult(program: program, revision: try context.commit([put] + operations))
  }

  func programsDelete(
    _ params: ProgramsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsDeleteResult {
    let others =
      try open(of: params.id, context).map(\.deletion)
      + context.all(ProgressionState.self).filter { $0.programId == params.id }
      .map { .delete(ProgressionState.collection, id: $0.id) }
    let (program, revision) = try context.delete(Program.self, params.id, basedOn: params.revision, with: others)
    return ProgramsDeleteResult(program: program, revision: revision)
  }

  func programsActivate(
    _ params: ProgramsActivateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsActivateResult {
    let record = try context.record(of: Program.self, params.id)
    let old = try context.decode(Program.self, record)
    let start = params.startDay ?? context.currentDay
    let scheduled = try context.all(ScheduledWorkout.self).filter { $0.programId == old.id }
    if old.active == true, old.startDay == start {
      return ProgramsActivateResult(
        program: old, scheduled: scheduled.count, revision: try context.storeRevision())
    }
    let days = try days(of: old, from: start, pointer: "/startDay", context)
    var program = old
    (program.active, program.startDay, program.endDay) = (true, start, days.days.upperBound)
    var operations = [try context.put(&program, keeping: record, readAs: old)]
    for other in try context.all(Program.self) where other.active == true && other.id != program.id {
      operations += try context.editing(Program.self, other.id) { $0.active = nil }
      operations += try open(of: other.id, context).map(\.deletion)
    }
    let planned = try entries(of: program, days, context)
    let change = try scheduling(planned, of: program.id, keepsMoved: false, context)
    return ProgramsActivateResult(
      program: program, scheduled: scheduled.count + change.difference,
      revision: try context.commit(operations + change.operations))
  }

  func programsDeactivate(
    _ params: ProgramsDeactivateParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsDeactivateResult {
    let record = try context.record(of: Program.self, params.id)
    let old = try context.decode(Program.self, record)
    var new = old
    new.active = nil
    guard old.active == true, let (program, put) = try context.edit(record, from: old, to: new, basedOn: nil) else {
      return ProgramsDeactivateResult(program: old, removed: 0, revision: try context.storeRevision())
    }
    let removed = params.keepsSchedule == true ? [] : try open(of: old.id, context)
    let revision = try context.commit([put] + removed.map(\.deletion))
    return ProgramsDeactivateResult(program: program, removed: removed.count, revision: revision)
  }

  func programsExpand(
    _ params: ProgramsExpandParams, _ context: inout Context
  ) throws(RPCError) -> ProgramsExpandResult {
    let program = try context.entity(Program.self, params.id)
    let start = params.startDay ?? program.startDay ?? context.currentDay
    let days = try days(of: program, from: start, pointer: "/startDay", context)
    return ProgramsExpandResult(
      scheduledWorkouts: try entries(of: program, days, context), endDay: days.days.upperBound,
      revision: try context.storeRevision())
  }

  /// The slots of params, with ids.
  ///
  /// - Throws: A repeated id; `notFound` for a missing workout or module that the program did not have before.
  private func slots(
    _ slots: [ProgramSlot], keeping old: [ProgramSlot], of program: Program, _ context: Context
  ) throws(RPCError) -> [ProgramSlot] {
    let known = Set(old.flatMap { [$0.workoutId, $0.moduleId] } + [program.id])
    func check<Entity: CollectionEntity>(_ type: Entity.Type, _ id: EntityID?, _ pointer: String) throws(RPCError) {
      if let id, !known.contains(id) { _ = try context.record(of: type, id, pointer: pointer) }
    }
    for (place, slot) in slots.enumerated() {
      try check(Workout.self, slot.workoutId, "/slots/\(place)/workoutId")
      try check(Module.self, slot.moduleId, "/slots/\(place)/moduleId")
    }
    do throws(Refusal) { return try slots.identified(keeping: old, context.newID) } catch {
      throw RPCError(error.inside("/slots"))
    }
  }
}
