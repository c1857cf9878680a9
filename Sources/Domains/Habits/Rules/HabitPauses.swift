import DaybookProtocol

extension Habit {
  /// Adds a pause and merges it with adjacent and overlapping ones.
  package func paused(_ days: ClosedRange<CivilDay>, isOpen: Bool) -> Habit {
    var (first, last) = (days.lowerBound, isOpen ? nil : Optional(days.upperBound))
    var others: [HabitPause] = []
    for pause in pauses ?? [] {
      let isBefore = pause.to.map { $0.advanced(by: 1) < first } ?? false
      let isBehind = last.map { $0.advanced(by: 1) < pause.from } ?? false
      if isBefore || isBehind {
        others.append(pause)
      } else {
        first = min(first, pause.from)
        last = last.flatMap { last in pause.to.map { max(last, $0) } }
      }
    }
    var habit = self
    habit.pauses = (others + [HabitPause(from: first, to: last)]).sorted { $0.from < $1.from }
    return habit
  }

  /// Removes all paused days from `day` on.
  package func resumed(on day: CivilDay) -> Habit {
    var habit = self
    let left = (pauses ?? []).compactMap { pause -> HabitPause? in
      guard pause.from < day else { return nil }
      guard let to = pause.to, to < day else { return HabitPause(from: pause.from, to: day.advanced(by: -1)) }
      return pause
    }
    habit.pauses = left.isEmpty ? nil : left
    return habit
  }
}
