import CivilTime
import DaybookProtocol
package enum HabitSuggestions { package static let all: [HabitSuggestion] = [] }
package enum PredefinedCategories { package static func all(at now: Instant) -> [HabitCategory] { [] } }
import Values
extension HabitTimeline {
  package func stats(_ id: EntityID, _ days: ClosedRange<CivilDay>, strength: [Double]) -> HabitStats {
    HabitStats(habitId: id, from: days.lowerBound, to: days.upperBound, streaks: streaks().summary, strength: .zero, trend: .stable, rate: rate(days), comparison: RateComparison(previous: rate(days)), total: .zero, recordedDays: 0, skippedDays: 0, weekdays: [])
  }
  package func points(_ step: SeriesStep, _ days: ClosedRange<CivilDay>, strength: [Double]) -> [HabitPoint] { [] }
  package func heatMap(_ year: ClosedRange<CivilDay>) -> [HeatCell] { [] }
}
package enum OverviewRules {
  package static func overview(_ t: [(habit: Habit, timeline: HabitTimeline)], _ days: ClosedRange<CivilDay>, categories: [EntityID], firstWeekday: Int, today: CivilDay, revision: Int) -> HabitsOverviewResult {
    HabitsOverviewResult(from: days.lowerBound, to: days.upperBound, rate: HabitRate(done: 0, expected: 0), comparison: RateComparison(previous: HabitRate(done: 0, expected: 0)), days: [], perfectDays: 0, perfectStreak: 0, longestPerfectStreak: 0, trend: .stable, habits: [], categories: [], pattern: WeeklyPattern(gate: .tooFewDays), revision: revision)
  }
}
