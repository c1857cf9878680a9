import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import Nutrition
import Platform

extension NutritionService {
  /// What the meals of a month say of foods.
  static func foodDigest(_ migrations: RecordMigrations) -> Digest {
    let version = version(FoodMonth.version, of: [Meal.collection], migrations)
    return Digest("foods", version: version, of: [Meal.collection]) { _, records in
      var meals: [(MealPlace, LoggedFood)] = []
      records { record in
        Threads.giveWay()
        if let meal = MealFood.read(record, migrations) { meals.append(meal) }
        return true
      }
      // Days are told from the first one of the month.
      return FoodMonth(meals.first?.0.day.month.lowerBound ?? CivilDay.allowed.lowerBound, of: meals).bytes
    }
  }
}

extension Snapshot {
  /// The meals of some days that are of foods, newest first.
  func foodMeals(_ days: ClosedRange<CivilDay>, _ migrations: RecordMigrations) -> [(MealPlace, LoggedFood)] {
    var meals: [(MealPlace, LoggedFood)] = []
    forEachRecord(in: Meal.collection, days: days) { record in
      Threads.giveWay()
      if let meal = MealFood.read(record, migrations) { meals.append(meal) }
      return true
    }
    return meals
  }
}
