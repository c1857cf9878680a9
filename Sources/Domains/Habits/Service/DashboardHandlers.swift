import DomainKit
import Habits

extension HabitsService {
  /// The dashboard settings of this frontend.
  func dashboard(_ context: Context) throws(RPCError) -> DashboardView {
    let frontend = context.folder.author
    let id = DerivedID.dashboard(frontend)
    if let stored = try context.find(DashboardView.self, id) { return stored }
    return DashboardView(
      id: id, frontend: frontend, mode: .daily, sort: .manual, createdAt: context.now, updatedAt: context.now)
  }

  func dashboardUpdate(
    _ params: DashboardUpdateParams, _ context: inout Context
  ) throws(RPCError) -> DashboardUpdateResult {
    let old = try dashboard(context)
    var new = old
    if let mode = params.mode { new.mode = mode }
    if let sort = params.sort { new.sort = sort }
    if let descending = params.descending { new.descending = descending ? true : nil }
    if let hides = params.hidesCompleted { new.hidesCompleted = hides ? true : nil }
    if let record = try context.snapshot().record(old.id, in: DashboardView.collection) {
      let (view, revision) = try context.update(record, from: old, to: new, basedOn: nil)
      return DashboardUpdateResult(dashboard: view, revision: revision)
    }
    let revision = new == old ? try context.storeRevision() : try context.commit([try context.put(new: new)])
    return DashboardUpdateResult(dashboard: new, revision: revision)
  }

  func dashboardGet(_ params: DashboardGetParams, _ context: inout Context) throws(RPCError) -> DashboardGetResult {
    let day = params.day ?? context.currentDay
    let view = try dashboard(context)
    var habits: [DashboardHabit] = []
    var (done, expected) = (0, 0)
    for entry in try dashboardOrder(on: day, context) {
      let figures = try figures(entry, context)
      let timeline = try timeline(entry, through: day, context)
      let standing = timeline.standing(on: day)
      done += standing.counts && standing.isMet ? 1 : 0
      expected += standing.counts ? 1 : 0
      let isAutomatic = entry.habit.source != nil
      let habitDay = timeline.habitDay(entry.habit.id, day, figures.history[day], isAutomatic: isAutomatic)
      if view.hidesCompleted == true, habitDay.state == .done { continue }
      habits.append(
        DashboardHabit(
          habit: JSONFragment(unchecked: entry.habit.json), habitDay: habitDay, streaks: figures.streaks.summary,
          strength: figures.strength))
    }
    return DashboardGetResult(
      day: day, mode: view.mode, sort: view.sort, descending: view.descending ?? false,
      hidesCompleted: view.hidesCompleted ?? false, habits: habits, rate: HabitRate(done: done, expected: expected),
      revision: try context.storeRevision())
  }

  /// The active habits in the order of this frontend's dashboard, pinned ones first.
  func dashboardOrder(on day: CivilDay, _ context: Context) throws(RPCError) -> [HabitBook.Entry] {
    let view = try dashboard(context)
    let active = try book(context).active(on: day)
    var ranked: [(entry: HabitBook.Entry, rank: Rank, place: Int)] = []
    for (place, entry) in active.enumerated() {
      ranked.append((entry, try rank(entry, view.sort, day, context), place))
    }
    ranked.sort { left, right in
      let (isLeft, isRight) = (left.entry.habit.pinned == true, right.entry.habit.pinned == true)
      if isLeft != isRight { return isLeft }
      if left.rank != right.rank { return (left.rank < right.rank) != (view.descending ?? false) }
      return left.place < right.place
    }
    return ranked.map(\.entry)
  }

  private enum Rank: Comparable {
    case number(Double)
    case text(String)
  }

  private func rank(
    _ entry: HabitBook.Entry, _ sort: HabitSort, _ day: CivilDay, _ context: Context
  ) throws(RPCError) -> Rank {
    switch sort {
    case .name: return .text(HabitRules.nameKey(entry.habit))
    case .colour: return .text(entry.habit.colour.uppercased())
    case .strength: return .number(-(try figures(entry, context).strengths.last ?? 0))
    case .created: return .number(Double(entry.habit.createdAt.milliseconds))
    case .status:
      switch try timeline(entry, through: day, context).state(of: day) {
      case .open: return .number(0)
      case .missed: return .number(1)
      case .done: return .number(2)
      default: return .number(3)
      }
    case .manual, .unknown: return .number(Double(entry.habit.order))
    }
  }
}
