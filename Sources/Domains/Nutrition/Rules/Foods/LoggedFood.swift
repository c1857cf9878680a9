import CivilTime
import DaybookProtocol
import Values

/// The food of a logged meal.
package struct LoggedFood: Sendable, Equatable {
  /// The name as typed.
  package let name: String
  package let mealType: MealType
  package let nutrients: Nutrients

  package init(name: String, mealType: MealType, nutrients: Nutrients) {
    self.name = name
    self.mealType = mealType
    self.nutrients = nutrients
  }
}

/// The place of a meal in the list of all: by day, then by creation, then by id.
package struct MealPlace: Sendable, Hashable, Comparable {
  package let day: CivilDay
  package let createdAt: Instant
  package let id: EntityID

  package init(day: CivilDay, createdAt: Instant, id: EntityID) {
    self.day = day
    self.createdAt = createdAt
    self.id = id
  }

  /// Oldest first.
  package static func < (left: MealPlace, right: MealPlace) -> Bool {
    if left.day != right.day { return left.day < right.day }
    if left.createdAt != right.createdAt { return left.createdAt < right.createdAt }
    return left.id < right.id
  }
}

/// A meal's calories and macronutrients in 16 bytes.
struct PackedNutrients: Sendable, Equatable {
  private let calories: Int32
  private let protein: UInt32
  private let carbs: UInt32
  private let fat: UInt32

  init(_ nutrients: Nutrients) {
    calories = Int32(clamping: nutrients.calories)
    protein = PackedNutrients.pack(nutrients.protein)
    carbs = PackedNutrients.pack(nutrients.carbs)
    fat = PackedNutrients.pack(nutrients.fat)
  }

  func pack(into writer: inout PackedWriter) {
    for number in [Int(calories), Int(protein), Int(carbs), Int(fat)] { writer.write(number) }
  }

  init?(unpacking reader: inout PackedReader) {
    guard let calories = reader.number().flatMap({ Int32(exactly: $0) }),
      let protein = reader.number().flatMap({ UInt32(exactly: $0) }),
      let carbs = reader.number().flatMap({ UInt32(exactly: $0) }),
      let fat = reader.number().flatMap({ UInt32(exactly: $0) })
    else { return nil }
    (self.calories, self.protein, self.carbs, self.fat) = (calories, protein, carbs, fat)
  }

  var nutrients: Nutrients {
    Nutrients(
      calories: Int(calories), protein: PackedNutrients.unpack(protein), carbs: PackedNutrients.unpack(carbs),
      fat: PackedNutrients.unpack(fat))
  }

  /// Packs the digits and their scale, at most 2; 0 for nil.
  private static func pack(_ grams: Decimal?) -> UInt32 {
    guard let grams else { return 0 }
    let fitting = grams.scale <= 2 ? grams : grams.rounded(toScale: 2) ?? .zero
    return UInt32(clamping: min(max(fitting.significand, 0), 0x0FFF_FFFF)) &<< 2 | UInt32(fitting.scale) + 1
  }

  private static func unpack(_ packed: UInt32) -> Decimal? {
    packed == 0 ? nil : Decimal(significand: Int64(packed &>> 2), scale: Int(packed & 3) - 1)
  }
}
