import DomainKit
import Nutrition

extension NutritionService {
  func daysList(_ params: DaysListParams, _ context: inout Context) throws(RPCError) -> DaysListResult {
    let days = try range(params.from, params.to)
    let facts = try facts(days, context)
    let settings = try context.settings()
    return DaysListResult(
      days: DayRules.each(of: days, in: facts).map { DayRules.summary($0, settings: settings) },
      summary: PeriodRules.summary(of: days, in: facts, settings: settings), revision: try context.storeRevision())
  }

  func daysCalendar(_ params: DaysCalendarParams, _ context: inout Context) throws(RPCError) -> DaysCalendarResult {
    let from = params.from ?? (params.to ?? context.currentDay).month.lowerBound
    let days = try range(from, params.to ?? from.month.upperBound)
    let settings = try context.settings()
    let marked = try facts(days, context).map { facts in
      CalendarDay(
        day: facts.day, standing: DayRules.standing(facts, settings: settings), mealCount: facts.totals.mealCount,
        fasted: facts.fasted, hasNote: facts.hasNote,
        exerciseCalories: facts.exercise.count > 0 ? facts.exercise.calories : nil, water: facts.water?.normalized)
    }
    return DaysCalendarResult(
      from: days.lowerBound, to: days.upperBound, days: marked, revision: try context.storeRevision())
  }

  func daysSeries(_ params: DaysSeriesParams, _ context: inout Context) throws(RPCError) -> DaysSeriesResult {
    let bucket = params.bucket ?? .day
    let first = (params.firstWeekday ?? context.firstWeekday).index
    let to = params.to ?? context.currentDay
    let from = if let from = params.from { from } else { try firstLoggedDay(upTo: to, context) }
    let days = try series(bucket, from, to, firstWeekday: first)
    let whole = bucket.whole(days, firstWeekday: first)
    let settings = try context.settings()
    let points = SeriesRules.points(
      bucket, in: days, of: try facts(whole, context), firstWeekday: first, settings: settings)
    return DaysSeriesResult(
      bucket: bucket, totalCalories: settings.totalCalories, targetDeficit: settings.targetDeficit, points: points,
      revision: try context.storeRevision())
  }

  /// The days of a series.
  ///
  /// - Throws: `invalidParams` for more than `longestList` points.
  func series(
    _ bucket: SeriesBucket, _ from: CivilDay, _ to: CivilDay, firstWeekday: Int
  ) throws(RPCError) -> ClosedRange<CivilDay> {
    let days = try RPCError.days(from, to)
    let count = bucket.periods(in: days, firstWeekday: firstWeekday).count
    guard count <= NutritionConstants.longestList else {
      throw RPCError(
        .invalidParams, "the series has \(count) points", pointer: "/bucket",
        allowed: "at most \(NutritionConstants.longestList) points", hint: "use larger buckets or a shorter range")
    }
    return days
  }

  func weeksGet(_ params: WeeksGetParams, _ context: inout Context) throws(RPCError) -> WeeksGetResult {
    let first = params.firstWeekday ?? context.firstWeekday
    let week = (params.day ?? context.currentDay).week(from: first.index).clamped(to: CivilDay.allowed)
    // Streaks and engagement need all days.
    let facts = try allFacts(context)
    let settings = try context.settings()
    return WeeksGetResult(
      firstWeekday: first, totalCalories: settings.totalCalories, targetDeficit: settings.targetDeficit,
      consistency: WeekRules.consistency(facts.within(week), settings: settings),
      summary: PeriodRules.summary(of: week, in: facts, settings: settings),
      days: WeekRules.days(week, in: facts, settings: settings),
      streaks: StreakRules.streaks(facts, today: context.today, settings: settings),
      engagement: StreakRules.engagement(facts, today: context.today), revision: try context.storeRevision())
  }

  func monthsGet(_ params: MonthsGetParams, _ context: inout Context) throws(RPCError) -> MonthsGetResult {
    let month = (params.day ?? context.currentDay).month
    let facts = try facts(month, context)
    let settings = try context.settings()
    return MonthsGetResult(
      firstWeekday: context.firstWeekday, summary: PeriodRules.summary(of: month, in: facts, settings: settings),
      days: DayRules.each(of: month, in: facts).map { DayRules.summary($0, settings: settings) },
      revision: try context.storeRevision())
  }

  func yearsGet(_ params: YearsGetParams, _ context: inout Context) throws(RPCError) -> YearsGetResult {
    let year = (params.day ?? context.currentDay).year
    let facts = try facts(year, context)
    let settings = try context.settings()
    let months = (1...12).compactMap { CivilDay(year: year.lowerBound.components.year, month: $0, day: 1)?.month }
    return YearsGetResult(
      summary: PeriodRules.summary(of: year, in: facts, settings: settings),
      months: months.map { PeriodRules.summary(of: $0, in: facts, settings: settings) },
      revision: try context.storeRevision())
  }

  func streaksGet(_ params: NoParams, _ context: inout Context) throws(RPCError) -> StreaksGetResult {
    let facts = try allFacts(context)
    return StreaksGetResult(
      streaks: StreakRules.streaks(facts, today: context.today, settings: try context.settings()),
      engagement: StreakRules.engagement(facts, today: context.today), revision: try context.storeRevision())
  }

  /// The first day up to `day` with any entry, else `day`.
  private func firstLoggedDay(upTo day: CivilDay, _ context: Context) throws(RPCError) -> CivilDay {
    try facts(CivilDay.allowed.lowerBound...day, context).first?.day ?? day
  }

  /// - Throws: `invalidParams` for more than `longestList` days.
  private func range(_ from: CivilDay, _ to: CivilDay) throws(RPCError) -> ClosedRange<CivilDay> {
    let days = try RPCError.days(from, to)
    let longest = NutritionConstants.longestList
    guard days.dayCount <= longest else {
      throw RPCError(
        .invalidParams, "the range has \(days.dayCount) days", pointer: "/to", allowed: "at most \(longest) days",
        hint: "use shorter ranges, or “days/series” with larger buckets")
    }
    return days
  }
}
