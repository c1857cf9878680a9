import DomainKit
import Habits
import Reminders

/// Answers requests on habits, logs, cards, statistics and places, and owns the domain's caches. Except for the open
/// cards, dropping them changes no answer.
package final class HabitsService {
  /// All habits with their logs.
  package var habitBook = Projected<HabitBook>()
  /// The values of day measures.
  private var measured = RevisionCache<(today: CivilDay, values: [DayMeasureName: [(day: CivilDay, value: Int64)]])>()
  /// The figures by habit, derived from one book and its changes.
  private var figures: (book: Int, byID: [EntityID: HabitFigures]) = (0, [:])
  var habitFacts = RevisionCache<HabitFacts>()
  /// The cards of this connection, in opening order.
  var cards: [OpenCard] = []

  package init() {}

  package static func digests(_ migrations: RecordMigrations) -> [Digest] { [HistoryBuilder.digest(migrations)] }

  /// All habits at the current revision.
  func book(_ context: Context) throws(RPCError) -> HabitBook { try habitBook.current(context) }

  /// An existing habit; throws `notFound` with `pointer`, the params member that holds the id.
  func entry(_ id: EntityID, _ context: Context, pointer: String = "/id") throws(RPCError) -> HabitBook.Entry {
    if let entry = try book(context)[id] { return entry }
    throw RPCError(
      .notFound, "there is no habit with this id", pointer: pointer, hint: "“habits/list” has the ids")
  }

  /// The days of a habit: logged values, and those of its day measure on other days.
  private func history(_ entry: HabitBook.Entry, _ context: Context) throws(RPCError) -> HabitHistory {
    guard let source = entry.habit.source else { return entry.logged }
    return entry.logged.filled(
      with: try values(of: source, context).filter { $0.day >= entry.plan.start })
  }

  /// All values of a day measure up to today, ascending; empty when no service computes it.
  private func values(
    of source: DayMeasureName, _ context: Context
  ) throws(RPCError) -> [(day: CivilDay, value: Int64)] {
    _ = try context.storeRevision()
    var known = measured[context.folder].flatMap { $0.today == context.today ? $0.values : nil } ?? [:]
    if let values = known[source] { return values }
    let first = try book(context).entries.filter { $0.habit.source == source }.map(\.plan.start).min()
    let days = min(first ?? context.today, context.today)...context.today
    let values = (try context.offers.values(of: source, in: days, context) ?? [])
      .map { (day: $0.day, value: Thousandths.value($0.value)) }
    known[source] = values
    measured[context.folder] = (context.today, known)
    return values
  }

  /// The derived figures of a habit up to today.
  func figures(_ entry: HabitBook.Entry, _ context: Context) throws(RPCError) -> HabitFigures {
    let key = HabitFigures.Key(
      version: entry.version, today: context.today, firstWeekday: context.firstWeekday.index,
      revision: entry.habit.source == nil ? nil : try context.storeRevision())
    if figures.book != habitBook.generation { figures = (habitBook.generation, [:]) }
    let known = figures.byID[entry.habit.id]
    if let known, known.key == key { return known }
    let history = try history(entry, context)
    // Most changes of the store leave the day measure of an automatic habit alone.
    if let known, known.key.isSame(as: key), known.history == history {
      known.key = key
      return known
    }
    let made = HabitFigures(key, entry.plan, history)
    figures.byID[entry.habit.id] = made
    return made
  }

  /// The timeline of a habit up to a day, which may be in the future.
  func timeline(
    _ entry: HabitBook.Entry, through day: CivilDay, _ context: Context
  ) throws(RPCError) -> HabitTimeline {
    let figures = try figures(entry, context)
    guard day > context.today else { return figures.timeline }
    return HabitTimeline(
      entry.plan, figures.history, today: context.today, firstWeekday: context.firstWeekday.index,
      through: day)
  }
}

/// The cached figures derived from a habit.
final class HabitFigures {
  /// The state that the figures were derived from.
  struct Key: Equatable {
    let version: Int
    let today: CivilDay
    let firstWeekday: Int
    /// For automatic habits: the store's revision.
    let revision: Int?

    /// Whether only the revision may differ.
    func isSame(as other: Key) -> Bool {
      version == other.version && today == other.today && firstWeekday == other.firstWeekday
    }
  }

  fileprivate(set) var key: Key
  /// All recorded days, including those from a day measure.
  let history: HabitHistory
  let timeline: HabitTimeline
  private(set) lazy var streaks = timeline.streaks()
  /// On each day up to today.
  private(set) lazy var strengths = HabitStrength.series(timeline)
  private var remembered: (days: DayContext, candidates: RememberedCandidates)?

  init(_ key: Key, _ plan: HabitPlan, _ history: HabitHistory) {
    self.key = key
    self.history = history
    timeline = HabitTimeline(plan, history, today: key.today, firstWeekday: key.firstWeekday)
  }

  /// The reminders of the habit, made once.
  func reminders(of habit: Habit, _ days: DayContext) -> RememberedCandidates {
    if let remembered, remembered.days === days { return remembered.candidates }
    let candidates = RememberedCandidates(
      HabitReminders(
        habit, timeline, streak: streaks.summary.current, zone: days.zone, dayStart: days.dayStart))
    remembered = (days, candidates)
    return candidates
  }

  /// Today's strength, 0 to 1 with four digits.
  var strength: Decimal { Decimal(rounding: strengths.last ?? 0, toScale: 4)?.normalized ?? .zero }
}
