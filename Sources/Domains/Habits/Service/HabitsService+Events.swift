import DomainKit
import Habits
import Premium
import Reminders

/// Facts about the active habits that rarely change, cached without their logs.
struct HabitFacts {
  /// The habits filled by day measures, by id.
  let automatic: [(id: EntityID, source: DayMeasureName)]
  /// Whether any has reminders.
  let remind: Bool
  /// The number with an enabled place.
  let places: Int

  init(_ snapshot: Snapshot, _ migrations: RecordMigrations) {
    let habits = snapshot.records(in: Habit.collection)
      .compactMap { try? migrations.decode(Habit.self, $0) }.filter { $0.archivedDay == nil }
    automatic = habits.compactMap { habit in habit.source.map { (habit.id, $0) } }.sorted { $0.0 < $1.0 }
    remind = habits.contains { $0.reminders?.isEmpty == false }
    places = habits.count { $0.place.map { $0.disabled != true } ?? false }
  }

  /// The event for habits whose day measures changed; nil when there are none.
  func event(of change: DataChange) -> Event? {
    guard !automatic.isEmpty else { return nil }
    let moved = change.measures
    let ids = automatic.filter { moved.contains($0.source) }.map(\.id)
    guard !ids.isEmpty else { return nil }
    return Event(
      HabitDaysChangedParams.method,
      HabitDaysChangedParams(revision: change.revision, origin: change.origin, habitIds: ids))
  }
}

extension HabitsService {
  package static var reminderTitle: (source: ReminderSource, title: String)? { (.habits, "Habits") }

  package static func limit(of feature: Feature, hasAccess: Bool) -> Int? {
    feature == .unlimitedHabits ? HabitLimit.active(hasAccess: hasAccess) : nil
  }

  /// The reminders of habits; none without premium.
  package func reminders(_ context: Context) throws(RPCError) -> [RememberedCandidates] {
    guard Gates.answer(.habitReminders, hasAccess: context.hasPremiumAccess).available, try facts(context).remind
    else { return [] }
    return try book(context).active.filter { $0.habit.reminders?.isEmpty == false }.map { entry throws(RPCError) in
      try figures(entry, context).reminders(of: entry.habit, context.days)
    }
  }

  package func gives(_ reminder: ReminderID, _ context: Context) throws(RPCError) -> Bool {
    guard reminder.source == .habits, let id = EntityID(reminder.item), let entry = try book(context)[id] else {
      return false
    }
    return HabitReminders.gives(reminder, entry.habit)
  }

  /// Completes or skips the habit of a reminder.
  package func act(
    on reminder: ReminderID, _ action: ReminderAction, _ context: inout Context
  ) throws(RPCError) {
    guard reminder.source == .habits, let id = EntityID(reminder.item), let entry = try book(context)[id],
      entry.habit.archivedDay == nil
    else { return }
    if action == .skip {
      _ = try habitLogsSkip(HabitLogsSkipParams(habitId: id, day: reminder.day, allowFuture: true), &context)
    } else if action == .done, !entry.plan.isBad {
      _ = try habitLogsComplete(HabitLogsCompleteParams(habitId: id, day: reminder.day, allowFuture: true), &context)
    }
  }

  /// The event for automatic habits whose day measures changed.
  package func consequences(of change: DataChange, in folder: DataFolder) -> Consequences {
    if change.touches(Habit.collection) { habitFacts = RevisionCache() }
    guard change.affectsMeasures, let event = reportedFacts(folder)?.event(of: change) else { return Consequences() }
    return Consequences(events: [event], affectsReminders: true)
  }

  /// The facts as of the last change of habits that was reported. Nil without a store that can be read: then nothing has
  /// changed either.
  private func reportedFacts(_ folder: DataFolder) -> HabitFacts? {
    if let known = habitFacts.latest(folder) { return known }
    guard let snapshot = try? folder.snapshot() else { return nil }
    let made = HabitFacts(snapshot, folder.migrations)
    habitFacts[folder] = made
    return made
  }

  /// The cached facts.
  private func facts(_ context: Context) throws(RPCError) -> HabitFacts {
    let snapshot = try context.snapshot()
    return try habitFacts.current(context, [Habit.collection]) { HabitFacts(snapshot, context.folder.migrations) }
  }

  package func startSummary(of part: StartPart, _ context: Context) -> String? {
    switch part {
    case .categories: (try? categories(context)).map { "\($0.count) categories" }
    case .places:
      (try? facts(context)).map { known in
        let isOpen = Gates.answer(.habitLocations, hasAccess: context.hasPremiumAccess).available
        return "\(isOpen ? known.places : 0) places"
      }
    }
  }
}
