/// The difference between two plans; ids ascending.
package struct ReminderDifference: Hashable, Sendable {
  package let added: [ReminderID]
  /// Entries that disappeared before their time.
  package let removed: [ReminderID]
  /// Entries with another instant or local time.
  package let moved: [ReminderID]
  /// Entries with the same time and other texts or actions.
  package let changed: [ReminderID]
  /// Entries whose time has come.
  package let elapsed: [ReminderID]

  /// Whether clients must reschedule; elapsed entries need no rescheduling.
  package var isNews: Bool { !(added.isEmpty && removed.isEmpty && moved.isEmpty && changed.isEmpty) }
}

extension ReminderPlan {
  /// The difference from an earlier plan.
  package func difference(from old: ReminderPlan) -> ReminderDifference {
    let before = Dictionary(old.entries.map { ($0.id, $0) }) { first, _ in first }
    let after = Set(entries.map(\.id))
    var added: [ReminderID] = []
    var moved: [ReminderID] = []
    var changed: [ReminderID] = []
    for entry in entries {
      guard let earlier = before[entry.id] else {
        added.append(entry.id)
        continue
      }
      if entry.isAtSameTime(as: earlier) {
        if entry != earlier { changed.append(entry.id) }
      } else {
        moved.append(entry.id)
      }
    }
    let gone = old.entries.filter { !after.contains($0.id) }
    return ReminderDifference(
      added: added.sorted(), removed: gone.filter { $0.fireAt > madeAt }.map(\.id).sorted(), moved: moved.sorted(),
      changed: changed.sorted(), elapsed: gone.filter { $0.fireAt <= madeAt }.map(\.id).sorted())
  }
}

extension PlannedReminder {
  /// Whether both have the same instant and local time.
  fileprivate func isAtSameTime(as other: PlannedReminder) -> Bool {
    fireAt == other.fireAt && zone == other.zone && localDay == other.localDay && localMinute == other.localMinute
  }
}
