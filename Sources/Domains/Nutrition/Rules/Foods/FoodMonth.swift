import DaybookProtocol

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

/// The meals of one month, summarized by name for the food index.
package struct FoodMonth: Sendable, Equatable {
  /// The meals of one spelling.
  struct Food: Sendable, Equatable {
    let name: String
    /// The place of the latest meal.
    var latest: MealPlace
    var nutrients: PackedNutrients
    /// Meals by meal type, indexed as `MealType.known`.
    var counts: SIMD8<Int32>
  }

  /// The first day of the month.
  package let month: CivilDay
  let foods: [Food]

  package init(_ month: CivilDay, of meals: some Sequence<(MealPlace, LoggedFood)>) {
    var foods: [Food] = []
    var numbers: [ExactText: Int] = [:]
    for (place, food) in meals {
      let name = ExactText(text: food.name)
      let number = numbers[name] ?? foods.count
      if number == foods.count {
        numbers[name] = number
        foods.append(Food(name: food.name, latest: place, nutrients: PackedNutrients(food.nutrients), counts: .zero))
      } else if foods[number].latest < place {
        foods[number].latest = place
        foods[number].nutrients = PackedNutrients(food.nutrients)
      }
      foods[number].counts[FoodIndex.typeNumber(food.mealType)] &+= 1
    }
    self.month = month
    self.foods = foods
  }
}

extension FoodMonth {
  /// The packed form, of `version`.
  package var bytes: [UInt8] {
    var writer = PackedWriter()
    for food in foods {
      var name = food.name
      name.withUTF8 { writer.write($0) }
      writer.write(Int(food.latest.day.daysSinceEpoch) - Int(month.daysSinceEpoch))
      writer.write(Int(food.latest.createdAt.milliseconds))
      writer.write(Int(truncatingIfNeeded: food.latest.id.high))
      writer.write(Int(truncatingIfNeeded: food.latest.id.low))
      food.nutrients.pack(into: &writer)
      for type in MealType.known.indices { writer.write(Int(food.counts[type])) }
    }
    return writer.bytes
  }

  /// The version of the packed form; it names the meal types, whose order gives the counts their meaning.
  package static var version: String { (["1"] + MealType.known.map(\.rawValue)).joined(separator: "-") }

  /// Nil when the bytes are not a packed month.
  package init?(_ month: CivilDay, _ bytes: UnsafeRawBufferPointer) {
    var reader = PackedReader(bytes)
    var foods: [Food] = []
    while !reader.isAtEnd {
      guard let name = reader.text(), let day = reader.number(), let createdAt = reader.number(),
        let high = reader.number(), let low = reader.number(), let nutrients = PackedNutrients(unpacking: &reader)
      else { return nil }
      var counts = SIMD8<Int32>.zero
      for type in MealType.known.indices {
        guard let count = reader.number().flatMap({ Int32(exactly: $0) }), count >= 0 else { return nil }
        counts[type] = count
      }
      let place = MealPlace(
        day: month.advanced(by: day), createdAt: Instant(milliseconds: Int64(createdAt)),
        id: EntityID(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low))))
      foods.append(
        Food(name: String(decoding: name, as: UTF8.self), latest: place, nutrients: nutrients, counts: counts))
    }
    self.month = month
    self.foods = foods
  }
}
