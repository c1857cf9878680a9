import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition

extension NutritionService {
  /// What is known of the days of a range, ascending; days of which nothing is known are left out. Months are remembered.
  func facts(_ days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [DayFacts] {
    let snapshot = try context.snapshot()
    dayMemory.follow(to: snapshot.revision, epoch: context.folder.epoch) { revision in
      context.changes(since: revision, limit: NutritionConstants.followedDayChanges)
    }
    guard let span = loggedSpan(snapshot), span.overlaps(days) else { return [] }
    let months = NutritionService.months(of: days.clamped(to: span))
    let missing = months.filter { dayMemory[$0] == nil }
    if let first = missing.first, let last = missing.last {
      let hull = first.lowerBound...last.upperBound
      dayMemory.remember(hull, try NutritionService.readFacts(hull, in: snapshot, context.folder.migrations))
    }
    var facts: [DayFacts] = []
    for month in months { facts += dayMemory[month] ?? [] }
    return Array(facts.within(days))
  }

  /// What is known of all days there are.
  func allFacts(_ context: Context) throws(RPCError) -> [DayFacts] { try facts(CivilDay.allowed, context) }

  /// The same as `facts`, out of the records themselves.
  package static func readFacts(
    _ days: ClosedRange<CivilDay>, in snapshot: Snapshot, _ migrations: RecordMigrations
  ) throws(RPCError) -> [DayFacts] {
    var facts: [DayFacts] = []
    // Newest first, so that the meals of a day come together.
    try each(MealAmounts.self, of: Meal.collection, days, in: snapshot, migrations, quick: MealAmounts.init(plain:)) {
      day, amounts in
      if facts.last?.day != day { facts.append(DayFacts(day)) }
      facts[facts.count - 1].totals.add(
        calories: amounts.calories, protein: amounts.protein, carbs: amounts.carbs, fat: amounts.fat)
    }
    facts.reverse()
    var others = try otherFacts(days, in: snapshot, migrations)
    guard !others.isEmpty else { return facts }
    for index in facts.indices {
      if let other = others.removeValue(forKey: facts[index].day) { facts[index].note(other) }
    }
    return (facts + others.values).sorted { $0.day < $1.day }
  }

  /// What is known of days beside their meals.
  private static func otherFacts(
    _ days: ClosedRange<CivilDay>, in snapshot: Snapshot, _ migrations: RecordMigrations
  ) throws(RPCError) -> [CivilDay: DayFacts] {
    var facts: [CivilDay: DayFacts] = [:]
    try each(DayEntry.self, of: DayEntry.collection, days, in: snapshot, migrations) { day, entry in
      facts[day, default: DayFacts(day)].fasted = entry.fasted
      facts[day, default: DayFacts(day)].hasNote = entry.note != nil
    }
    try each(ExerciseAmount.self, of: Exercise.collection, days, in: snapshot, migrations) { day, exercise in
      facts[day, default: DayFacts(day)].exercise.add(calories: exercise.calories)
    }
    try each(WaterAmount.self, of: WaterEntry.collection, days, in: snapshot, migrations) { day, water in
      facts[day, default: DayFacts(day)].drink(water.volume)
    }
    return facts
  }

  /// Reads a part of each record of some days, newest first. `quick` reads a text of the present form, or gives up.
  private static func each<Part: JSONDecodable>(
    _ type: Part.Type, of collection: CollectionName, _ days: ClosedRange<CivilDay>, in snapshot: Snapshot,
    _ migrations: RecordMigrations, quick: (UnsafeRawBufferPointer) -> Part? = { _ in nil },
    _ body: (CivilDay, Part) -> Void
  ) throws(RPCError) {
    var problem: RPCError?
    snapshot.forEachRecord(in: collection, days: days) { record in
      guard let day = record.day else { return true }
      do throws(RPCError) {
        let schema = record.schema
        let part = record.body.withUnsafeBytes { text in
          migrations.isPresentForm(text, schema: schema, in: collection) ? quick(text) : nil
        }
        if let part {
          body(day, part)
        } else {
          body(day, try migrations.read(Part.self, record, in: collection))
        }
        return true
      } catch {
        problem = error
        return false
      }
    }
    if let problem { throw problem }
  }

  /// From the first to the last month in which something was logged; nil when nothing was.
  private func loggedSpan(_ snapshot: Snapshot) -> ClosedRange<CivilDay>? {
    DayMemory.collections.compactMap { snapshot.span(of: $0) }.reduce(nil) { span, other in
      guard let span else { return other }
      return min(span.lowerBound, other.lowerBound)...max(span.upperBound, other.upperBound)
    }
  }

  /// The months that a range touches, oldest first, each whole.
  private static func months(of days: ClosedRange<CivilDay>) -> [ClosedRange<CivilDay>] {
    var months: [ClosedRange<CivilDay>] = []
    var month = days.lowerBound.month
    while month.lowerBound <= days.upperBound {
      months.append(month)
      month = month.upperBound.advanced(by: 1).month
    }
    return months
  }
}
