import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Nutrition
import Platform

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
