import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSONRPC
import Training
import Values

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
    for scheduled in try entities(ScheduledWorkout.self, asked, context) {
      let none = CalendarWorkoutDay(day: scheduled.day, scheduled: [], sessions: [])
      days[scheduled.day, default: none].scheduled.append(scheduled)
    }
    for session in try entities(WorkoutSession.self, asked, context) {
      let none = CalendarWorkoutDay(day: session.day, scheduled: [], sessions: [])
      days[session.day, default: none].sessions.append(FinishedSession(session))
    }
    for day in days.keys { days[day]?.sessions.sort { $0.startedAt < $1.startedAt } }
    return TrainingCalendarResult(
      days: days.values.sorted { $0.day < $1.day }, revision: try context.storeRevision())
  }

  /// The entities of some days, ascending, without those that only a later version understands.
  func entities<Entity: CollectionEntity>(
    _ type: Entity.Type, _ days: ClosedRange<CivilDay>, _ context: Context
  ) throws(RPCError) -> [Entity] {
    try context.all(type, in: days).reversed()
  }
}

extension FinishedSession {
  /// A session in short.
  fileprivate init(_ session: WorkoutSession) {
    var place = 0
    let facts = SessionFacts(session) { _ in
      place += 1
      return place - 1
    }
    self.init(
      id: session.id, day: session.day, name: session.name, startedAt: session.startedAt, seconds: session.seconds,
      exercises: facts.exercises.count, sets: facts.exercises.reduce(0) { $0 + Int($1.sets) },
      volume: TenThousandths.decimal(facts.exercises.reduce(0) { $0 + $1.volume }))
  }
}
