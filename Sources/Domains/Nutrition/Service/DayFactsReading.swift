import DomainKit
import Nutrition

extension NutritionService {
  /// The facts of a range, ascending, without days on which nothing is logged. Whole months are cached.
  func facts(_ days: ClosedRange<CivilDay>, _ context: Context) throws(RPCError) -> [DayFacts] {
    let snapshot = try context.snapshot()
    guard let span = loggedSpan(snapshot), span.overlaps(days) else { return [] }
    let months = NutritionService.months(of: days.clamped(to: span))
    let missing = try months.filter(dayMemory.current(context).lacks)
    if let first = missing.first, let last = missing.last {
      let hull = first.lowerBound...last.upperBound
      let migrations = context.folder.migrations
      let digests = snapshot.digests(NutritionService.dayDigest(migrations))
      let read = try NutritionService.readFacts(hull, in: snapshot, migrations, digests)
      dayMemory.extend { $0.remember(hull, read) }
    }
    let known = try dayMemory.current(context)
    var facts: [DayFacts] = []
    for month in months { facts += known[month] ?? [] }
    return Array(facts.within(days))
  }

  func allFacts(_ context: Context) throws(RPCError) -> [DayFacts] { try facts(CivilDay.allowed, context) }

  /// Reads the facts of a range from the digests of months, and from the records of months without one.
  package static func readFacts(
    _ days: ClosedRange<CivilDay>, in snapshot: Snapshot, _ migrations: RecordMigrations,
    _ digests: MonthDigests? = nil
  ) throws(RPCError) -> [DayFacts] {
    var facts: [DayFacts] = []
    for collection in DayMemory.collections {
      facts.merge(try readFacts(of: collection, days, in: snapshot, migrations, digests))
    }
    return facts
  }

  /// Reads the facts that one collection has of a range, ascending.
  private static func readFacts(
    of collection: CollectionName, _ days: ClosedRange<CivilDay>, in snapshot: Snapshot,
    _ migrations: RecordMigrations, _ digests: MonthDigests?
  ) throws(RPCError) -> [DayFacts] {
    func read(_ days: ClosedRange<CivilDay>) throws(RPCError) -> [DayFacts] {
      try readFacts(of: collection, migrations) { snapshot.forEachRecord(in: collection, days: days, $0) }
    }
    guard let digests else { return try read(days) }
    var facts: [DayFacts] = []
    try digests.visit(
      collection, days,
      digest: { days, bytes in
        guard let found = NutritionService.facts(inDigest: bytes) else { return false }
        facts += found.within(days)
        return true
      }, rest: { days throws(RPCError) in facts += try read(days) })
    return facts
  }

  /// Reads the facts in the records of one collection, ascending. The records are newest first, so those of a day are adjacent.
  static func readFacts(
    of collection: CollectionName, _ migrations: RecordMigrations, _ records: @escaping Digest.Records
  ) throws(RPCError) -> [DayFacts] {
    var facts: [DayFacts] = []
    func day(_ day: CivilDay) -> Int {
      if facts.last?.day != day { facts.append(DayFacts(day)) }
      return facts.count - 1
    }
    switch collection {
    case Meal.collection:
      try each(StoredMeal.self, of: collection, records, migrations, quick: StoredMeal.init(plain:)) { date, meal in
        let amounts = meal.nutrients
        facts[day(date)].totals.add(
          calories: amounts.calories, protein: amounts.protein, carbs: amounts.carbs, fat: amounts.fat,
          nutrients: amounts.nutrients.map { OtherNutrients($0) })
      }
    case DayEntry.collection:
      try each(DayEntry.self, of: collection, records, migrations) { date, entry in
        let index = day(date)
        facts[index].fasted = entry.fasted
        facts[index].hasNote = entry.note != nil
      }
    case Exercise.collection:
      try each(ExerciseAmount.self, of: collection, records, migrations) { date, exercise in
        facts[day(date)].exercise.add(calories: exercise.calories)
      }
    default:
      try each(WaterAmount.self, of: collection, records, migrations) { date, water in
        facts[day(date)].drink(water.volume)
      }
    }
    return facts.reversed()
  }

  /// Decodes a part of each record. `quick` is a faster decoder for texts of the present schema, which may return nil.
  private static func each<Part: JSONDecodable>(
    _ type: Part.Type, of collection: CollectionName, _ records: @escaping Digest.Records,
    _ migrations: RecordMigrations,
    quick: (UnsafeRawBufferPointer) -> Part? = { _ in nil }, _ body: (CivilDay, Part) -> Void
  ) throws(RPCError) {
    var problem: RPCError?
    records { record in
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

  /// The span of the months in which anything is logged.
  private func loggedSpan(_ snapshot: Snapshot) -> ClosedRange<CivilDay>? {
    DayMemory.collections.compactMap { snapshot.span(of: $0) }.reduce(nil) { span, other in
      guard let span else { return other }
      return min(span.lowerBound, other.lowerBound)...max(span.upperBound, other.upperBound)
    }
  }

  /// The months that a range touches, oldest first, each whole.
  static func months(of days: ClosedRange<CivilDay>) -> [ClosedRange<CivilDay>] {
    var months: [ClosedRange<CivilDay>] = []
    var month = days.lowerBound.month
    while month.lowerBound <= days.upperBound {
      months.append(month)
      month = month.upperBound.advanced(by: 1).month
    }
    return months
  }
}

/// The day facts of those whole months that were asked for.
struct DayMemory: Projection {
  /// By the first of the month.
  private var months: [CivilDay: [DayFacts]] = [:]

  static let followedChanges = NutritionConstants.followedDayChanges

  static func isSlow(_ source: ProjectionSource) -> Bool { false }

  init() {}

  init(_ source: ProjectionSource) {}

  /// A month's facts; nil when they are not known.
  subscript(month: ClosedRange<CivilDay>) -> [DayFacts]? { months[month.lowerBound] }

  /// Whether a month's facts are not known.
  func lacks(_ month: ClosedRange<CivilDay>) -> Bool { months[month.lowerBound] == nil }

  /// Adds the facts of whole months; `facts` is ascending.
  mutating func remember(_ days: ClosedRange<CivilDay>, _ facts: [DayFacts]) {
    for month in NutritionService.months(of: days) { months[month.lowerBound] = Array(facts.within(month)) }
  }

  mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) { drop(changes) }

  /// Drops the changed months.
  mutating func drop(_ changes: [ChangedRecord]) {
    for change in changes {
      for case let day? in [change.day, change.previousDay, change.lastDay] { months[day.month.lowerBound] = nil }
    }
  }

  /// The collections that day facts are read from.
  static let collections = [
    Meal.collection, DayEntry.collection, Exercise.collection, WaterEntry.collection,
  ]
}
