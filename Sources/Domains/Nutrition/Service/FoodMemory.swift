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
  /// The months that changed since the build, by their first days.
  private var changedMonths: [CivilDay: MealsOfMonth] = [:]

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
          changedMonths[month] = MealsOfMonth(snapshot.foodMeals(day.month, migrations))
          names += changedMonths[month]?.names ?? []
        }
        if let name = changedMonths[month]?.remove(change.id) { names.append(name) }
      }
      guard let record = snapshot.record(change.id, in: Meal.collection), let meal = StoredMeal.food(record, migrations)
      else { continue }
      changedMonths[meal.0.day.month.lowerBound]?.insert(meal)
      names.append(meal.1.name)
    }
    let changed = months.map { ($0, changedMonths[$0]?.meals(named: names) ?? []) }
    index?.replace(names, in: Dictionary(uniqueKeysWithValues: changed))
  }

  /// A build at the snapshot's revision.
  mutating func pendingBuild(_ context: Context, _ snapshot: Snapshot) -> FoodIndexBuild {
    if let build, build.snapshot.revision == snapshot.revision { return build }
    let made = FoodIndexBuild(snapshot, context.folder.migrations)
    build = made
    return made
  }
}

/// The meals of a month that name a food, findable by name.
private struct MealsOfMonth {
  private var meals: [EntityID: (MealPlace, LoggedFood)] = [:]
  private var ids: [String: Set<EntityID>] = [:]

  init(_ meals: [(MealPlace, LoggedFood)]) {
    for meal in meals { insert(meal) }
  }

  /// The name of each meal as typed.
  var names: [String] { meals.values.map(\.1.name) }

  /// The meals of some names, in any of their canonically equivalent spellings.
  func meals(named names: [String]) -> [(MealPlace, LoggedFood)] {
    Set(names).flatMap { ids[$0] ?? [] }.compactMap { meals[$0] }
  }

  mutating func insert(_ meal: (MealPlace, LoggedFood)) {
    meals[meal.0.id] = meal
    ids[meal.1.name, default: []].insert(meal.0.id)
  }

  /// Removes a meal, and returns its name.
  mutating func remove(_ id: EntityID) -> String? {
    guard let name = meals.removeValue(forKey: id)?.1.name else { return nil }
    ids[name]?.remove(id)
    return name
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
