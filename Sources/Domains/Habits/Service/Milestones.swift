import DomainKit
import Habits

/// Milestones of streaks. They are stored in the transaction of the log that reaches them, so each is announced once.
extension HabitsService {
  /// The operations that add milestones reached by edits and delete those no longer reached.
  func milestones(_ edits: [DayEdit], _ context: Context) throws(RPCError) -> [Operation] {
    var operations: [Operation] = []
    for (id, own) in Dictionary(grouping: edits, by: \.habit.id).sorted(by: { $0.key < $1.key }) {
      // Automatic habits and `bad` ones extend their streaks without logs.
      guard let entry = try book(context)[id], !entry.plan.isBad, entry.habit.source == nil else { continue }
      let before = try figures(entry, context)
      var history = before.history
      for edit in own { history[edit.day] = edit.record }
      let timeline = HabitTimeline(
        entry.plan, history, today: context.today, firstWeekday: context.firstWeekday.index)
      let streaks = timeline.streaks()
      if own.contains(where: { HabitsService.takesAway($0.day, before.timeline, timeline) }) {
        operations += try lostMilestones(of: id, streaks.all, context)
      }
      let after = streaks.summary
      guard let length = Milestones.reached(from: before.streaks.summary.current, to: after.current),
        let from = after.currentFrom
      else { continue }
      let key = DerivedID.milestone(id, length, from)
      guard try context.snapshot().record(key, in: HabitMilestone.collection) == nil else { continue }
      operations.append(
        try context.put(
          new: HabitMilestone(
            id: key, habitId: id, length: length, unit: after.unit, from: from, reachedOn: context.today,
            createdAt: context.now, updatedAt: context.now)))
    }
    return operations
  }

  /// The deletions of milestones that no streak reaches any more.
  private func lostMilestones(
    of id: EntityID, _ streaks: [HabitStreak], _ context: Context
  ) throws(RPCError) -> [Operation] {
    try context.snapshot().records(in: HabitMilestone.collection).compactMap { record in
      guard let milestone = try? context.decode(HabitMilestone.self, record), milestone.habitId == id,
        !streaks.contains(where: {
          $0.from <= milestone.from && milestone.from <= $0.to && $0.length >= milestone.length
        })
      else { return nil }
      return .delete(HabitMilestone.collection, id: record.id)
    }
  }

  /// Whether an edit can have shortened a streak: the day is no longer met or has changed neutrality, or other days
  /// depend on it.
  private static func takesAway(_ day: CivilDay, _ before: HabitTimeline, _ after: HabitTimeline) -> Bool {
    if case .perDays = after.plan.schedule { return true }
    if after.plan.targetDays > 1 { return true }
    guard let old = before[day], let new = after[day] else { return false }
    return old.isMet && !new.isMet || old.isNeutral != new.isNeutral
  }
}
