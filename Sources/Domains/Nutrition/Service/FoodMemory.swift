import DomainKit
import Nutrition
import Platform

/// The food index of a data folder: built off the session when it is first needed, then updated by the changes to meals.
struct FoodMemory {
  private var index: FoodIndex?
  private var revision = 0
  private var epoch = 0
  /// The pending build while there is no index.
  private var build: FoodIndexBuild?
  /// The meals of the months that changed since the build, by month and id.
  private var changedMonths: [CivilDay: [EntityID: (MealPlace, LoggedFood)]] = [:]

  init(epoch: Int = 0) { self.epoch = epoch }

  /// The index at the snapshot's revision; nil when it has to be built.
  mutating func present(_ context: Context, _ snapshot: Snapshot) -> FoodIndex? {
    if epoch != context.folder.epoch { self = FoodMemory(epoch: context.folder.epoch) }
    if index == nil, let build, let made = build.take() {
      (index, revision, self.build) = (made, build.snapshot.revision, nil)
    }
    guard index != nil, revision != snapshot.revision else { return index }
    guard revision < snapshot.revision,
      let records = context.changes(
        since: revision, of: [Meal.collection], atMost: NutritionConstants.followedMealChanges)
    else {
      self = FoodMemory(epoch: epoch)
      return nil
    }
    follow(records, in: snapshot, context.folder.migrations)
    revision = snapshot.revision
    return index
  }

  private mutating func follow(_ records: [ChangedRecord], in snapshot: Snapshot, _ migrations: RecordMigrations) {
    var (months, names): (Set<CivilDay>, [String]) = ([], [])
    for change in records {
      for case let day? in [change.day, change.previousDay, change.lastDay] {
        let month = day.month.lowerBound
        months.insert(month)
        if changedMonths[month] == nil {
          // Which names its changed meals had before is known to the index alone.
          names += index?.names(in: month) ?? []
          let meals = snapshot.foodMeals(day.month, migrations).map { ($0.0.id, $0) }
          changedMonths[month] = Dictionary(meals) { first, _ in first }
          names += (changedMonths[month] ?? [:]).values.map(\.1.name)
        }
        if let meal = changedMonths[month]?.removeValue(forKey: change.id) { names.append(meal.1.name) }
      }
      guard let record = snapshot.record(change.id, in: Meal.collection), let meal = StoredMeal.food(record, migrations)
      else { continue }
      changedMonths[meal.0.day.month.lowerBound]?[change.id] = meal
      names.append(meal.1.name)
    }
    index?.replace(names, in: changedMonths.filter { months.contains($0.key) }.mapValues(\.values))
  }

  /// A build at the snapshot's revision.
  mutating func pendingBuild(_ context: Context, _ snapshot: Snapshot) -> FoodIndexBuild {
    if let build, build.snapshot.revision == snapshot.revision { return build }
    let made = FoodIndexBuild(snapshot, context.folder.migrations)
    build = made
    return made
  }
}

/// Builds the food index of one revision once, off the session: without digests, reading ten years of meals takes long.
final class FoodIndexBuild: Sendable {
  let snapshot: Snapshot
  private let migrations: RecordMigrations
  /// Held during the build; never by the session.
  private let turn = Guarded(())
  private let index = Guarded<FoodIndex?>(nil)

  init(_ snapshot: Snapshot, _ migrations: RecordMigrations) {
    self.snapshot = snapshot
    self.migrations = migrations
  }

  /// Calls `body` with the index, which is built first if needed. Concurrent callers wait for the build.
  func answer<Value: Sendable>(_ body: (FoodIndex) -> Value) -> Value {
    turn.withLock { _ in
      if let index = index.withLock({ $0 }) { return body(index) }
      let made = FoodIndexBuild.make(snapshot, migrations)
      index.withLock { $0 = made }
      return body(made)
    }
  }

  /// Moves the index to the session, which can then change it without a copy; nil while it is not built.
  func take() -> FoodIndex? {
    index.withLock { index in
      defer { index = nil }
      return index
    }
  }

  private static func make(_ snapshot: Snapshot, _ migrations: RecordMigrations) -> FoodIndex {
    guard let span = snapshot.span(of: Meal.collection) else { return FoodIndex() }
    var months: [FoodMonth] = []
    snapshot.digests(NutritionService.foodDigest(migrations)).visit(
      Meal.collection, span,
      digest: { month, bytes in
        guard let month = bytes.withUnsafeBytes({ FoodMonth(month.lowerBound, $0) }) else { return false }
        months.append(month)
        return true
      },
      rest: { days in
        months += NutritionService.months(of: days).map { month in
          FoodMonth(month.lowerBound, of: snapshot.foodMeals(month, migrations))
        }
      })
    return FoodIndex(months, pause: Threads.yieldIfDue)
  }
}

extension NutritionService {
  /// The digest of a month's meals by food.
  static func foodDigest(_ migrations: RecordMigrations) -> Digest {
    let version = version(FoodMonth.version, of: [Meal.collection], migrations)
    return Digest("foods", version: version, of: [Meal.collection]) { _, records in
      let meals = foodMeals(records, migrations)
      // Days are stored relative to the first of the month.
      return FoodMonth(meals.first?.0.day.month.lowerBound ?? CivilDay.allowed.lowerBound, of: meals).bytes
    }
  }

  fileprivate static func foodMeals(
    _ records: Digest.Records, _ migrations: RecordMigrations
  ) -> [(MealPlace, LoggedFood)] {
    var meals: [(MealPlace, LoggedFood)] = []
    records { record in
      Threads.yieldIfDue()
      if let meal = StoredMeal.food(record, migrations) { meals.append(meal) }
      return true
    }
    return meals
  }
}

extension Snapshot {
  /// The meals of some days that name a food, newest first.
  func foodMeals(_ days: ClosedRange<CivilDay>, _ migrations: RecordMigrations) -> [(MealPlace, LoggedFood)] {
    NutritionService.foodMeals({ forEachRecord(in: Meal.collection, days: days, $0) }, migrations)
  }
}
