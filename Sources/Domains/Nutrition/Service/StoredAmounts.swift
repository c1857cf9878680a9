import DomainKit
import Nutrition

/// The amounts and the food of a stored meal: decoding only them is faster for sums and indexes over years.
struct StoredMeal: JSONDecodable {
  private(set) var nutrients = Nutrients(calories: 0)
  /// Nil for a quickly added meal without a name.
  private(set) var food: LoggedFood?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var name: String?
    var type = MealType.meal
    var quick = false
    var calories: Int?
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
      } else if try reader.member("nutrients", 6, &object) {
        nutrients.nutrients = NutrientTotals(try OtherNutrients(from: &reader))
      } else if try reader.member("quick", 7, &object) {
        quick = try reader.bool()
      } else {
        try reader.skipValue()
      }
    }
    guard let calories else { throw reader.missing("calories", object) }
    nutrients.calories = calories
    let amounts = nutrients
    food = quick ? nil : name.map { LoggedFood(name: $0, mealType: type, nutrients: amounts) }
  }

  /// The place and food of a meal; nil for a meal without a food, and for unreadable records.
  static func food(
    _ record: borrowing Record, _ migrations: RecordMigrations
  ) -> (MealPlace, LoggedFood)? {
    guard let day = record.day, let food = (try? migrations.read(StoredMeal.self, record, in: Meal.collection))?.food
    else { return nil }
    return (MealPlace(day: day, createdAt: record.createdAt, id: record.id), food)
  }
}

extension StoredMeal {
  /// A faster decoder of the amounts alone, for texts in the form that our writer produces; nil for others, for other nutrients
  /// and out of range.
  init?(plain text: UnsafeRawBufferPointer) {
    var members = PlainMembers(text)
    var calories: Int?
    while let member = members.next() {
      if member.isNamed("calories") {
        guard calories == nil, let number = member.integer, (0...20000).contains(number) else { return nil }
        calories = number
      } else if member.isNamed("protein") {
        guard nutrients.protein == nil, let grams = StoredMeal.grams(member) else { return nil }
        nutrients.protein = grams
      } else if member.isNamed("carbs") {
        guard nutrients.carbs == nil, let grams = StoredMeal.grams(member) else { return nil }
        nutrients.carbs = grams
      } else if member.isNamed("fat") {
        guard nutrients.fat == nil, let grams = StoredMeal.grams(member) else { return nil }
        nutrients.fat = grams
      } else if member.isNamed("nutrients") {
        return nil
      }
    }
    guard members.isWhole, let calories else { return nil }
    nutrients.calories = calories
  }

  /// Grams with up to two decimals, 0…5000.
  private static func grams(_ member: PlainMembers.Member) -> Decimal? {
    guard let text = member.plainString, let grams = Decimal(utf8: text.bindMemory(to: UInt8.self)), grams.scale <= 2,
      !grams.isNegative, grams <= StoredMeal.mostGrams
    else { return nil }
    return grams
  }

  private static let mostGrams = Decimal(5000)
}

/// The calories of a stored exercise: decoding only them is faster for sums over years.
struct ExerciseAmount: JSONDecodable {
  /// kcal.
  let calories: Int

  init(from reader: inout JSONReader) throws(JSONError) {
    calories = try reader.only("calories") { reader throws(JSONError) in try reader.int(in: 1...20000) }
  }
}

/// The volume of a stored water entry.
struct WaterAmount: JSONDecodable {
  /// Millilitres.
  let volume: Decimal

  init(from reader: inout JSONReader) throws(JSONError) {
    volume = try reader.only("volume") { reader throws(JSONError) in
      try reader.decimal(minimum: 1, maximum: 20000, scale: 2)
    }
  }
}

extension JSONReader {
  /// Reads one required member of an object.
  fileprivate mutating func only<Value>(
    _ name: StaticString, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    var object = try beginObject()
    var value: Value?
    while try nextMember(&object) {
      if try member(name, 0, &object) { value = try read(&self) } else { try skipValue() }
    }
    guard let value else { throw missing(name, object) }
    return value
  }
}
