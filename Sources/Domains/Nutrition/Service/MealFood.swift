import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

/// What a stored meal says of its food and nothing else of it, as an index of years reads tens of thousands.
struct MealFood: JSONDecodable {
  /// Nil for a meal that is of no food, as one that was never named.
  let food: LoggedFood?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var name: String?
    var type = MealType.meal
    var quick = false
    var calories: Int?
    var nutrients = Nutrients(calories: 0)
    while try reader.nextMember(&object) {
      if try reader.member("name", 0, &object) {
        name = try reader.string()
      } else if try reader.member("calories", 1, &object) {
        calories = try reader.int(in: 0...20000)
      } else if try reader.member("mealType", 2, &object) {
        type = try MealType(from: &reader)
      } else if try reader.member("protein", 3, &object) {
        nutrients.protein = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("carbs", 4, &object) {
        nutrients.carbs = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("fat", 5, &object) {
        nutrients.fat = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("quick", 6, &object) {
        quick = try reader.bool()
      } else {
        try reader.skipValue()
      }
    }
    guard let name else { throw reader.missing("name", object) }
    guard let calories else { throw reader.missing("calories", object) }
    nutrients.calories = calories
    food = quick ? nil : LoggedFood(name: name, mealType: type, nutrients: nutrients)
  }
}

extension MealFood {
  /// What a meal says of its food, and where it stands; nil when it is of none, or cannot be read here.
  static func read(_ record: borrowing Record, _ migrations: RecordMigrations) -> (MealPlace, LoggedFood)? {
    guard let day = record.day,
      let food = (try? migrations.read(MealFood.self, record, in: Meal.collection))?.food
    else { return nil }
    return (MealPlace(day: day, createdAt: record.createdAt, id: record.id), food)
  }
}
