import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Habits
import JSONRPC
import Premium
import Reminders
import Values

/// Habits that fill themselves, as far as anything has to follow from a change of what fills them.
struct AutomaticHabits {
  let revision: Int
  let epoch: Int
  let habits: [(id: EntityID, source: DayMeasureName)]
}

extension HabitsService {
  /// What there is to remind of; nil while the store cannot be read. Habits remind with premium only.
  package func reminders(_ context: Context) -> (any ReminderCandidates)? {
    guard Gates.answer(.habitReminders, hasAccess: context.hasPremiumAccess).available,
      let snapshot = try? context.snapshot(), snapshot.count(in: Habit.collection) > 0,
      let active = try? book(context).active
    else { return nil }
    let items = active.filter { $0.habit.reminders?.isEmpty == false }.compactMap { entry in
      (try? figures(entry, context)).map {
        HabitReminders.Item(entry.habit, $0.timeline, streak: $0.streaks.summary.current)
      }
    }
    return HabitReminders(items, zone: context.days.zone)
  }

  /// Logs a habit that is done, or makes its day neutral when it is skipped.
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

  /// The habits that are filled by what some events tell of.
  package func consequences(
    of events: [StaticString], revision: Int, origin: Origin, _ context: Context
  ) -> Consequences {
    guard let automatic = automatic(context), !automatic.isEmpty else { return Consequences() }
    let names = Set(events.map { "\($0)" })
    let moved = Set(DayOffers.measures.filter { !names.isDisjoint(with: $0.events) }.map(\.name))
    let ids = automatic.filter { moved.contains($0.source) }.map(\.id)
    guard !ids.isEmpty else { return Consequences() }
    return Consequences(
      events: [
        Event(
          HabitDaysChangedParams.method, HabitDaysChangedParams(revision: revision, origin: origin, habitIds: ids))
      ], movesReminders: true)
  }

  /// The habits that fill themselves, which few changes make others. Nil while the store cannot be read.
  private func automatic(_ context: Context) -> [(id: EntityID, source: DayMeasureName)]? {
    guard let snapshot = try? context.snapshot() else { return nil }
    if let known = automaticHabits, known.epoch == context.folder.epoch,
      known.revision == snapshot.revision
        || context.changes(since: known.revision, of: [Habit.collection], atMost: 1)?.isEmpty == true
    {
      if known.revision != snapshot.revision {
        automaticHabits = AutomaticHabits(revision: snapshot.revision, epoch: known.epoch, habits: known.habits)
      }
      return known.habits
    }
    var habits: [(EntityID, DayMeasureName)] = []
    for record in snapshot.records(in: Habit.collection) {
      if let habit = try? context.decode(Habit.self, record), let source = habit.source, habit.archivedDay == nil {
        habits.append((habit.id, source))
      }
    }
    habits.sort { $0.0 < $1.0 }
    automaticHabits = AutomaticHabits(revision: snapshot.revision, epoch: context.folder.epoch, habits: habits)
    return habits
  }

  package func isReady(for part: StartPart, _ context: Context) -> String? {
    switch part {
    case .categories: (try? categories(context)).map { "\($0.count) categories" }
    case .places: (try? placeCount(context)).map { "\($0) places" }
    }
  }
}
