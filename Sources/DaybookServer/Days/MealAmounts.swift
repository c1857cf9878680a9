import DaybookProtocol
import JSON
import Values

/// The amounts of a stored meal and nothing else of it, as sums over years read tens of thousands.
struct MealAmounts: JSONDecodable {
  /// kcal.
  let calories: Int
  /// Grams.
  let protein: Decimal?
  let carbs: Decimal?
  let fat: Decimal?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var calories: Int?
    var protein: Decimal?
    var carbs: Decimal?
    var fat: Decimal?
    while try reader.nextMember(&object) {
      if try reader.member("calories", 0, &object) {
        calories = try reader.int(in: 0...20000)
      } else if try reader.member("protein", 1, &object) {
        protein = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("carbs", 2, &object) {
        carbs = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("fat", 3, &object) {
        fat = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else {
        try reader.skipValue()
      }
    }
    guard let calories else { throw reader.missing("calories", object) }
    self.calories = calories
    self.protein = protein
    self.carbs = carbs
    self.fat = fat
  }
}
