import DaybookProtocol
import DomainKit
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
  let nutrients: OtherNutrients?

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var calories: Int?
    var protein: Decimal?
    var carbs: Decimal?
    var fat: Decimal?
    var nutrients: OtherNutrients?
    while try reader.nextMember(&object) {
      if try reader.member("calories", 0, &object) {
        calories = try reader.int(in: 0...20000)
      } else if try reader.member("protein", 1, &object) {
        protein = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("carbs", 2, &object) {
        carbs = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("fat", 3, &object) {
        fat = try reader.decimal(minimum: 0, maximum: 5000, scale: 2)
      } else if try reader.member("nutrients", 4, &object) {
        nutrients = try OtherNutrients(from: &reader)
      } else {
        try reader.skipValue()
      }
    }
    guard let calories else { throw reader.missing("calories", object) }
    self.calories = calories
    self.protein = protein
    self.carbs = carbs
    self.fat = fat
    self.nutrients = nutrients
  }
}

extension MealAmounts {
  /// The same out of a text that was checked when it was written; nil when it is not as a writer of ours makes it, or not within the
  /// limits. Then the text has to be read properly.
  init?(plain text: UnsafeRawBufferPointer) {
    var members = PlainMembers(text)
    var calories: Int?
    var protein: Decimal?
    var carbs: Decimal?
    var fat: Decimal?
    while let member = members.next() {
      if member.isNamed("calories") {
        guard calories == nil, let number = member.integer, (0...20000).contains(number) else { return nil }
        calories = number
      } else if member.isNamed("protein") {
        guard protein == nil, let grams = MealAmounts.grams(member) else { return nil }
        protein = grams
      } else if member.isNamed("carbs") {
        guard carbs == nil, let grams = MealAmounts.grams(member) else { return nil }
        carbs = grams
      } else if member.isNamed("fat") {
        guard fat == nil, let grams = MealAmounts.grams(member) else { return nil }
        fat = grams
      } else if member.isNamed("nutrients") {
        return nil
      }
    }
    guard members.isWhole, let calories else { return nil }
    self.calories = calories
    self.protein = protein
    self.carbs = carbs
    self.fat = fat
    nutrients = nil
  }

  /// Grams of up to two digits after the point, 0…5000.
  private static func grams(_ member: PlainMembers.Member) -> Decimal? {
    guard let text = member.plainString, let grams = Decimal(utf8: text.bindMemory(to: UInt8.self)), grams.scale <= 2,
      !grams.isNegative, grams <= MealAmounts.mostGrams
    else { return nil }
    return grams
  }

  private static let mostGrams = Decimal(5000)
}
