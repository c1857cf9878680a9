import DomainKit

extension HabitsService {
  func habitsDelete(_ params: HabitsDeleteParams, _ context: inout Context) throws(RPCError) -> Planned<
    HabitsDeleteResult
  > {
    _ = try entry(params.id, context)
    let snapshot = try context.snapshot()
    let (migrations, warn) = (context.folder.migrations, context.folder.warn)
    guard !snapshot.hasMore(than: HabitDeletion.maxInlineLogs, in: HabitLog.collection) else {
      return .later(
        PlannedChange { present, monitor throws(RPCError) in
          let deletion = try HabitDeletion(params, present, migrations, warn, monitor)
          return PlannedChange.Outcome(deletion.operations) { deletion.result(revision: $0).encode(to: &$1) }
        })
    }
    let deletion = try HabitDeletion(params, snapshot, migrations, warn, WorkMonitor())
    return .now(deletion.result(revision: try context.commit(deletion.operations)))
  }
}

/// The deletion of a habit with its logs, milestones and visits.
private struct HabitDeletion: Sendable {
  /// With more logs than this the deletion is planned outside the session; scanning as many takes less than a
  /// millisecond.
  static let maxInlineLogs = 200

  private(set) var operations: [Operation]
  private let habit: Habit

  /// - Throws: `notFound` for an unknown habit, `conflict` when it has changed since the base revision.
  init(
    _ params: HabitsDeleteParams, _ snapshot: Snapshot, _ migrations: RecordMigrations,
    _ warn: (String) -> Void, _ monitor: WorkMonitor
  ) throws(RPCError) {
    guard let record = snapshot.record(params.id, in: Habit.collection) else {
      throw RPCError(
        .notFound, "there is no habit with this id", pointer: "/id", hint: "“habits/list” has the ids")
    }
    habit = try migrations.decode(Habit.self, record)
    try Context.checkBase(params.revision, record, habit, nil, at: snapshot.revision)
    operations = [.delete(Habit.collection, id: params.id)]
    var problem: RPCError?
    /// The deletions of the habit's records.
    func collect(
      _ collection: CollectionName, _ owner: (borrowing Record) throws(RPCError) -> EntityID?
    ) -> [Operation] {
      var deletions: [Operation] = []
      snapshot.forEachRecord(in: collection) { record in
        do throws(RPCError) {
          if try owner(record) == params.id { deletions.append(.delete(collection, id: record.id)) }
        } catch { problem = error }
        return !monitor.isCancelled()
      }
      return deletions
    }
    operations += collect(HabitLog.collection) { record throws(RPCError) in
      try migrations.read(LogAmount.self, record, in: HabitLog.collection).habitId
    }
    operations += collect(HabitMilestone.collection) { record throws(RPCError) in
      try migrations.decode(HabitMilestone.self, record).habitId
    }
    operations += collect(HabitVisit.collection) { record throws(RPCError) in record.id }
    if let problem { warn("kept a record of a deleted habit: \(problem.message)") }
  }

  func result(revision: Int) -> HabitsDeleteResult { HabitsDeleteResult(habit: habit, revision: revision) }
}
