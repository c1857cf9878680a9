import CivilTime

/// How a plan differs from the one before it; ids ascending.
package struct ReminderDifference: Hashable, Sendable {
  /// New ones.
  package let added: [ReminderID]
  /// Those that are gone although their time has not come.
  package let removed: [ReminderID]
  /// Those that come at another instant, or at another time by the clock.
  package let moved: [ReminderID]
  /// Those that come when they did and say something else, or offer something else.
  package let changed: [ReminderID]
  /// Those whose time has come since.
  package let elapsed: [ReminderID]

  /// Whether clients have to hear of it: scheduling by the old plan would be wrong. That time goes by is
  /// no news.
  package var isNews: Bool { !(added.isEmpty && removed.isEmpty && moved.isEmpty && changed.isEmpty) }
}

extension ReminderPlan {
  /// What became of the entries of an earlier plan.
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
  /// Whether both come at one instant, told by one clock.
  fileprivate func isAtSameTime(as other: PlannedReminder) -> Bool {
    fireAt == other.fireAt && zone == other.zone && localDay == other.localDay && localMinute == other.localMinute
  }
}
