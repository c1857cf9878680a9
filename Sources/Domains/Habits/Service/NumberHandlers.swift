import DomainKit
import Habits

extension HabitsService {
  /// The maximum points of a series.
  private static let maxSeriesPoints = 4000
  /// The maximum days of an overview.
  private static let maxOverviewDays = 3660

  func habitsStats(_ params: HabitsStatsParams, _ context: inout Context) throws(RPCError) -> HabitsStatsResult {
    let entry = try entry(params.id, context)
    let to = params.to ?? context.today
    let from = params.from ?? max(to.advanced(by: -29), CivilDay.allowed.lowerBound)
    try check(from, to, isLastNamed: params.to != nil)
    let figures = try figures(entry, context)
    var stats = figures.timeline.stats(entry.habit.id, from...to, strength: figures.strengths)
    // An automatic habit reaches milestones without a log that could announce them.
    if entry.habit.source != nil { stats.nextMilestone = nil }
    return HabitsStatsResult(stats: stats, revision: try context.storeRevision())
  }

  func habitsStreaks(_ params: HabitsStreaksParams, _ context: inout Context) throws(RPCError) -> HabitsStreaksResult {
    let streaks = try figures(try entry(params.id, context), context).streaks
    let limit = params.limit ?? 10
    let best = streaks.all.sorted { $0.length != $1.length ? $0.length > $1.length : $0.to > $1.to }
    return HabitsStreaksResult(
      streaks: streaks.summary, best: Array(best.prefix(limit)), breaks: Array(streaks.breaks.reversed().prefix(limit)),
      breakCount: streaks.breaks.count, revision: try context.storeRevision())
  }

  func habitsSeries(_ params: HabitsSeriesParams, _ context: inout Context) throws(RPCError) -> HabitsSeriesResult {
    let entry = try entry(params.id, context)
    let from = params.from ?? entry.plan.start
    let to = params.to ?? min(entry.plan.end ?? context.today, context.today)
    if params.from == nil, params.to == nil, from > to {
      return HabitsSeriesResult(points: [], revision: try context.storeRevision())
    }
    try check(from, to, isLastNamed: params.to != nil)
    let step = params.by ?? .day
    guard (from...to).dayCount / step.leastDays <= HabitsService.maxSeriesPoints else {
      throw RPCError(
        .invalidParams, "the series is too long", pointer: "/to",
        allowed: "at most \(HabitsService.maxSeriesPoints) points", hint: "use longer steps (“by”)")
    }
    let figures = try figures(entry, context)
    let timeline = try timeline(entry, through: to, context)
    return HabitsSeriesResult(
      points: timeline.points(step, from...to, strength: figures.strengths), revision: try context.storeRevision())
  }

  func habitsHeatMap(_ params: HabitsHeatMapParams, _ context: inout Context) throws(RPCError) -> HabitsHeatMapResult {
    let entry = try entry(params.id, context)
    let year = params.year ?? context.today.components.year
    guard let days = CivilDay(year: year, month: 1, day: 1)?.year else {
      throw RPCError(.invalidParams, "there is no such year", pointer: "/year", allowed: "a year from 1900 to 2200")
    }
    let timeline = try timeline(entry, through: days.upperBound, context)
    return HabitsHeatMapResult(year: year, cells: timeline.heatMap(days), revision: try context.storeRevision())
  }

  func habitsOverview(
    _ params: HabitsOverviewParams, _ context: inout Context
  ) throws(RPCError) -> HabitsOverviewResult {
    let to = params.to ?? context.today
    let from = params.from ?? max(to.advanced(by: -6), CivilDay.allowed.lowerBound)
    guard to <= context.today else {
      throw RPCError(
        .invalidParams, "the range ends in the future", pointer: "/to", allowed: "a day up to \(context.today)")
    }
    try check(from, to, isLastNamed: params.to != nil)
    guard (from...to).dayCount <= HabitsService.maxOverviewDays else {
      throw RPCError(
        .invalidParams, "the range is too long", pointer: "/from",
        allowed: "a day from \(to.advanced(by: 1 - HabitsService.maxOverviewDays)) to \(to)")
    }
    return OverviewRules.overview(
      try timelines(context), from...to, categories: try categories(context), today: context.today,
      firstWeekday: context.firstWeekday.index, revision: try context.storeRevision())
  }

  /// All habits in order, including archived ones, with their timelines.
  func timelines(_ context: Context) throws(RPCError) -> [(habit: Habit, timeline: HabitTimeline)] {
    try book(context).entries.map { entry throws(RPCError) in (entry.habit, try figures(entry, context).timeline) }
  }

  private func check(_ from: CivilDay, _ to: CivilDay, isLastNamed: Bool = true) throws(RPCError) {
    guard from > to else { return }
    throw RPCError(
      .invalidParams, "the range ends before it begins", pointer: isLastNamed ? "/to" : "/from",
      allowed: isLastNamed ? "a day from \(from) on" : "a day up to \(to)")
  }
}
