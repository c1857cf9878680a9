import DomainKit
import Nutrition
import Platform

/// The foods that were logged, for searches and lists.
package struct FoodMemory: Projection {
  private(set) var index: FoodIndex
  /// The months that changed since it was built, by their first days.
  private var changedMonths: [CivilDay: MealsOfMonth] = [:]

  package static let collections = [Meal.collection]
  package static let followedChanges = NutritionConstants.followedMealChanges

  /// Always: ten years of meals take long, and there is no need to know how many there are.
  package static func isSlow(_ source: ProjectionSource) -> Bool { true }

  package init(_ source: ProjectionSource) {
    index = FoodIndex()
    let (snapshot, migrations) = (source.snapshot, source.migrations)
    guard let span = snapshot.span(of: Meal.collection) else { return }
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
    index = FoodIndex(months, pause: Threads.yieldIfDue)
  }

  package mutating func follow(_ changes: [ChangedRecord], in source: ProjectionSource) {
    let (snapshot, migrations) = (source.snapshot, source.migrations)
    var (months, names): (Set<CivilDay>, [String]) = ([], [])
    for change in changes {
      for case let day? in [change.day, change.previousDay, change.lastDay] {
        let month = day.month.lowerBound
        months.insert(month)
        if changedMonths[month] == nil {
          // Which names its changed meals had before is known to the index alone.
          names += index.names(in: month)
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
    index.replace(names, in: Dictionary(uniqueKeysWithValues: changed))
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
