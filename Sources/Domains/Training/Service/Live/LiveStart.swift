import DomainKit
import Training

extension TrainingService {
  func workoutSessionStart(
    _ params: WorkoutSessionStartParams, _ context: inout Context
  ) throws(RPCError) -> WorkoutSessionState {
    if let workout = try running(context) {
      let session = workout.session
      if session.id == params.sessionId {
        let planned = session.modules.compactMap { $0.plannedIds == nil ? nil : $0.moduleId }
        guard params.workoutId ?? session.workoutId == session.workoutId,
          params.scheduledId ?? session.scheduledId == session.scheduledId,
          params.moduleIds?.allSatisfy(planned.contains) ?? true
        else {
          throw RPCError(
            .conflict, "this session is running, but was started with something else", pointer: "/sessionId",
            hint: "leave the id out, or end it first")
        }
        return try state(workout, try context.storeRevision(), context)
      }
      throw RPCError(
        .sessionRunning, "“\(session.name)” is already running, held by \(session.heldBy)",
        hint: "“workoutSession/claim” continues it; “workoutSession/end” and “workoutSession/cancel” end it",
        running: RunningInfo(
          id: session.id, name: session.name, startedAt: session.startedAt, startedBy: session.startedBy,
          heldBy: session.heldBy))
    }
    let sources = [
      params.scheduledId != nil, params.workoutId != nil, params.moduleIds != nil, params.likeSessionId != nil,
    ]
    guard sources.count(where: { $0 }) <= 1 else {
      throw RPCError(
        .invalidParams, "it names several things to start",
        pointer: params.workoutId == nil ? "/moduleIds" : "/workoutId",
        allowed: "one of “scheduledId”, “workoutId”, “moduleIds”, “likeSessionId”")
    }
    let id = params.sessionId ?? context.newID()
    if try context.snapshot().record(id, in: WorkoutSession.collection) != nil {
      throw RPCError(
        .conflict, "there is a finished session with this id", pointer: "/sessionId", hint: "leave the id out")
    }
    let author = TrainingService.author(context)
    let session = RunningSession(
      id: id, day: context.today, zone: context.zoneName, startedAt: context.now, name: params.name ?? "Freestyle",
      modules: [], pausedMs: 0, startedBy: author, heldBy: author, bodyWeight: try weight(on: context.today, context),
      createdAt: context.now, updatedAt: context.now)
    var workout = RunningWorkout(session, [:])
    if let like = params.likeSessionId {
      try repeatSession(like, params.name, &workout, context)
    } else if sources.contains(true) {
      try plan(params, &workout, context)
    } else {
      workout.session.freestyle = true
    }
    let revision = try commit(from: nil, to: workout, &context)
    return try state(workout, revision, context)
  }

  private func repeatSession(
    _ id: EntityID, _ name: String?, _ workout: inout RunningWorkout, _ context: Context
  ) throws(RPCError) {
    let done = try context.entity(WorkoutSession.self, id, pointer: "/likeSessionId")
    let builder = SessionBuilder(context.newID)
    workout.session.name = name ?? done.name
    workout.session.workoutId = done.workoutId
    workout.session.freestyle = done.workoutId == nil ? true : nil
    for module in done.modules where !module.exercises.isEmpty {
      try append(
        RunningModule(
          id: context.newID(), moduleId: module.moduleId, name: module.name, kind: module.kind, exerciseIds: []),
        module.exercises.map(builder.again), &workout)
    }
  }

  private func append(
    _ module: RunningModule, _ list: [SessionExercise], _ workout: inout RunningWorkout
  ) throws(RPCError) {
    do throws(RunningRefusal) { try workout.append(module, list) } catch { throw RPCError(error) }
  }

  /// Copies the plan of the scheduled entry, the workout or the modules.
  private func plan(
    _ params: WorkoutSessionStartParams, _ workout: inout RunningWorkout, _ context: Context
  ) throws(RPCError) {
    let scheduled = try scheduled(params, context)
    let workoutId = params.workoutId ?? scheduled?.workoutId
    var parts: [(module: Module?, exercises: [PlannedExercise])] = []
    var name: String?
    if let workoutId {
      let pointer = params.workoutId == nil ? "/scheduledId" : "/workoutId"
      let planned = try context.entity(Workout.self, workoutId, pointer: pointer)
      name = planned.name
      parts = try resolvedParts(of: planned, context).parts
    } else {
      let ids = params.moduleIds ?? [scheduled?.moduleId].compactMap { $0 }
      try RPCError.check(
        (1...50).contains(ids.count), "there is nothing to train",
        pointer: params.moduleIds == nil ? "/scheduledId" : "/moduleIds",
        allowed: params.moduleIds == nil ? "no day of rest" : "1 to 50 modules")
      for (index, id) in ids.enumerated() {
        let pointer = params.moduleIds == nil ? "/scheduledId" : "/moduleIds/\(index)"
        let module = try context.entity(Module.self, id, pointer: pointer)
        name = name ?? module.name
        parts.append((module, module.exercises))
      }
    }
    workout.session.name = params.name ?? name ?? workout.session.name
    workout.session.workoutId = workoutId
    workout.session.scheduledId = scheduled?.id
    let program = try program(of: scheduled, workoutId, context)
    if let program {
      workout.session.programId = program.id
      workout.session.programName = program.name
      workout.session.programWeek = scheduled?.week ?? TrainingService.week(of: program, context)
    }
    let builder = SessionBuilder(context.newID)
    for (module, exercises) in parts where !exercises.isEmpty {
      var list = exercises.map(builder.exercise)
      if let program {
        for (index, planned) in exercises.enumerated() {
          list[index].proposal = try proposal(for: planned, workoutId, program, context).proposal
        }
      }
      try append(
        RunningModule(
          id: context.newID(), moduleId: module?.id, name: module?.name ?? RunningWorkout.ownName,
          kind: module?.kind ?? .strength, plannedIds: exercises.map(\.id), exerciseIds: []), list, &workout)
    }
    try RPCError.check(
      workout.session.position != nil, "it has no exercise",
      pointer: params.workoutId == nil ? "/moduleIds" : "/workoutId", allowed: "something with an exercise",
      hint: "without any of these, the session has no plan")
  }

  /// The entry to complete: the one the request names, else the first open entry of today for the workout.
  private func scheduled(
    _ params: WorkoutSessionStartParams, _ context: Context
  ) throws(RPCError) -> ScheduledWorkout? {
    if let id = params.scheduledId {
      let entry = try context.entity(ScheduledWorkout.self, id, pointer: "/scheduledId")
      try RPCError.check(
        entry.sessionId == nil, "it is completed", pointer: "/scheduledId", allowed: "something that is not completed")
      return entry
    }
    guard let workout = params.workoutId else { return nil }
    return try context.all(ScheduledWorkout.self, in: context.today...context.today)
      .filter { $0.workoutId == workout && !$0.isCompleted }
      .min { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  /// The program of the session: that of the scheduled entry, else the active one if it has the workout.
  private func program(
    of scheduled: ScheduledWorkout?, _ workout: EntityID?, _ context: Context
  ) throws(RPCError) -> Program? {
    if let id = scheduled?.programId { return try context.find(Program.self, id) }
    guard let workout else { return nil }
    return try context.all(Program.self).first { program in
      program.active == true && program.slots.contains { $0.workoutId == workout }
    }
  }

  /// The week of a program that contains today, from 1; nil outside the program.
  private static func week(of program: Program, _ context: Context) -> Int? {
    guard let start = program.startDay, context.today >= start else { return nil }
    let first = context.firstWeekday.index
    let week =
      (start.week(from: first).lowerBound...context.today.week(from: first).lowerBound).dayCount / 7 + 1
    return week <= program.weeks ? week : nil
  }

  /// The name of the requesting client.
  static func author(_ context: Context) -> String {
    context.folder.author.isVisible ? String(context.folder.author.prefix(200)) : "a program without a name"
  }
}
