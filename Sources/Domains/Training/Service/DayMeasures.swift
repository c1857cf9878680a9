import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

extension TrainingService {
  /// A measure of training on some days, ascending.
  func values(
    of measure: TrainingMeasure, in days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [DayValue] {
    try numbers(context).days(days).map { day, sums in
      let value: Decimal
      switch measure {
      case .workouts: value = Decimal(Int64(sums.sessions))
      case .workoutMinutes:
        value = Decimal(Int64(sums.seconds)).multiplied(by: 1, over: 60, roundedTo: 2)?.normalized ?? .zero
      case .workoutSets: value = Decimal(Int64(sums.sets))
      case .chestSets: value = sums.sets(for: .chest)
      case .backSets: value = sums.sets(for: .back)
      case .shouldersSets: value = sums.sets(for: .shoulders)
      case .bicepsSets: value = sums.sets(for: .biceps)
      case .tricepsSets: value = sums.sets(for: .triceps)
      case .forearmsSets: value = sums.sets(for: .forearms)
      case .quadsSets: value = sums.sets(for: .quads)
      case .hamstringsSets: value = sums.sets(for: .hamstrings)
      case .glutesSets: value = sums.sets(for: .glutes)
      case .calvesSets: value = sums.sets(for: .calves)
      case .coreSets: value = sums.sets(for: .core)
      }
      return DayValue(day: day, value: value)
    }
  }

  /// What is scheduled and was done on some days, ascending, what is scheduled first.
  func trainingNumbersAgenda(
    of days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [AgendaItem] {
    let snapshot = try context.snapshot()
    let sessions = try entities(WorkoutSession.self, days, context)
    var items: [AgendaItem] = []
    var told: Set<EntityID> = []
    for entry in try entities(ScheduledWorkout.self, days, context) {
      if let session = entry.sessionId { told.insert(session) }
      let isRest = entry.workoutId == nil && entry.moduleId == nil
      let state: AgendaState
      if entry.sessionId != nil || entry.completed == true {
        state = .done
      } else if entry.day < context.today {
        // What was not done is not to be done any more; a rest happened by itself.
        guard isRest else { continue }
        state = .done
      } else {
        state = entry.day > context.today || isRest ? .planned : .due
      }
      items.append(
        AgendaItem(
          day: entry.day, title: entry.name, detail: entry.week.map { "week \($0)" }, state: state,
          collection: .scheduledWorkouts, id: entry.id))
    }
    for session in sessions where !told.contains(session.id) {
      if let id = session.scheduledId, snapshot.record(id, in: ScheduledWorkout.collection) != nil { continue }
      items.append(
        AgendaItem(
          day: session.day, title: session.name, detail: "\((session.seconds + 30) / 60) min", state: .done,
          collection: .workoutSessions, id: session.id))
    }
    // Stable: those of a day stay in their order.
    return items.indices.sorted { left, right in
      items[left].day != items[right].day ? items[left].day < items[right].day : left < right
    }.map { items[$0] }
  }
}
