import DomainKit
import Training

extension TrainingService {
  /// The most days of a calendar.
  private static let longestCalendar = 400

  func trainingCalendar(
    _ params: TrainingCalendarParams, _ context: inout Context
  ) throws(RPCError) -> TrainingCalendarResult {
    let from = params.from ?? params.to.map { min($0, context.currentDay) } ?? context.currentDay
    let to = params.to ?? min(from.advanced(by: 6), CivilDay.allowed.upperBound)
    let asked = try RPCError.days(from, to, upTo: from.advanced(by: TrainingService.longestCalendar - 1))
    var days: [CivilDay: CalendarWorkoutDay] = [:]
    func change(_ day: CivilDay, _ body: (inout CalendarWorkoutDay) -> Void) {
      body(&days[day, default: CalendarWorkoutDay(day: day, scheduled: [], sessions: [])])
    }
    for scheduled in try entities(ScheduledWorkout.self, asked, context) {
      change(scheduled.day) { $0.scheduled.append(scheduled) }
    }
    for session in try entities(WorkoutSession.self, asked, context) {
      change(session.day) { $0.sessions.append(FinishedSession(session)) }
    }
    for day in days.keys { days[day]?.sessions.sort { $0.startedAt < $1.startedAt } }
    return TrainingCalendarResult(
      days: days.values.sorted { $0.day < $1.day }, revision: try context.storeRevision())
  }

  /// The readable entities of some days, ascending.
  func entities<Entity: CollectionEntity>(
    _ type: Entity.Type, _ days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [Entity] {
    try context.all(type, in: days).reversed()
  }

  /// The agenda of some days, ascending: scheduled workouts, then finished sessions that belong to none of them.
  func trainingNumbersAgenda(
    of days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> AgendaPart {
    let snapshot = try context.snapshot()
    var items: [AgendaItem] = []
    var shown: Set<EntityID> = []
    let running = try running(context)
    if let running, days.contains(context.today) { items.append(item(running, context)) }
    for entry in try entities(ScheduledWorkout.self, days, context) where entry.id != running?.session.scheduledId {
      if let session = entry.sessionId { shown.insert(session) }
      let isRest = entry.workoutId == nil && entry.moduleId == nil
      let state: AgendaState
      if entry.isCompleted {
        state = .done
      } else if entry.day < context.today {
        // A past day of rest counts as done.
        state = isRest ? .done : .missed
      } else {
        state = entry.day > context.today || isRest ? .planned : .due
      }
      items.append(
        AgendaItem(
          day: entry.day, title: entry.name, detail: entry.week.map { "week \($0)" }, state: state,
          collection: .scheduledWorkouts, id: entry.id))
    }
    for session in try entities(WorkoutSession.self, days, context) where !shown.contains(session.id) {
      if let id = session.scheduledId, snapshot.record(id, in: ScheduledWorkout.collection) != nil { continue }
      items.append(
        AgendaItem(
          day: session.day, time: context.time(at: session.startedAt), title: session.name,
          detail: "\((session.seconds + 30) / 60) min", value: Decimal(Int64((session.seconds + 30) / 60)), unit: "min",
          state: .done, collection: .workoutSessions, id: session.id))
    }
    return AgendaPart(counting: items)
  }

  /// The running workout, today.
  private func item(_ running: RunningWorkout, _ context: Context) -> AgendaItem {
    let progress = running.progress
    let place = running.current.map { place in
      "\(place.exercise.traits.name), set \(place.set.number) of \(place.exercise.logicalSets.count)"
    }
    return AgendaItem(
      day: context.today, time: context.time(at: running.session.startedAt), title: running.session.name, detail: place,
      value: Decimal(Int64(progress.done)), target: Decimal(Int64(progress.sets)), unit: "sets", state: .running,
      collection: .runningSessions, id: running.session.id)
  }

  /// A day measure of training on some days, ascending.
  func values(
    of measure: TrainingMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    try statistics(context).days(days).map { day, sums in DayValue(day: day, value: sums.value(of: measure)) }
  }
}

extension PeriodSums {
  fileprivate func value(of measure: TrainingMeasure) -> Decimal {
    switch measure {
    case .workouts: Decimal(Int64(sessions))
    case .workoutMinutes: Decimal(Int64(seconds)).multiplied(by: 1, over: 60, roundedTo: 2)?.normalized ?? .zero
    case .workoutSets: Decimal(Int64(sets))
    case .chestSets: sets(for: .chest)
    case .backSets: sets(for: .back)
    case .shouldersSets: sets(for: .shoulders)
    case .bicepsSets: sets(for: .biceps)
    case .tricepsSets: sets(for: .triceps)
    case .forearmsSets: sets(for: .forearms)
    case .quadsSets: sets(for: .quads)
    case .hamstringsSets: sets(for: .hamstrings)
    case .glutesSets: sets(for: .glutes)
    case .calvesSets: sets(for: .calves)
    case .coreSets: sets(for: .core)
    }
  }
}

extension FinishedSession {
  /// The summary of a session.
  fileprivate init(_ session: WorkoutSession) {
    let exercises = SessionFacts(session) { _ in 0 }.exercises
    self.init(
      id: session.id, day: session.day, name: session.name, startedAt: session.startedAt, seconds: session.seconds,
      exercises: exercises.count, sets: exercises.reduce(0) { $0 + Int($1.sets) },
      volume: TenThousandths.decimal(exercises.reduce(0) { $0 + $1.volume }))
  }
}
