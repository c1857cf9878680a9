import DaybookProtocol

/// The amounts of recipes.
package enum RecipeRules {
  package static let itemCounts = 1...100
  /// The valid energy of a meal, kcal.
  private static let calories = 0...20000
  /// The most grams of a macronutrient in a meal.
  private static let mostGrams = Decimal(5000)

  /// The sum of all items; grams over the items that state them.
  package static func total(_ items: [RecipeItem]) -> Nutrients {
    var total = Nutrients(calories: 0)
    var others: OtherNutrients?
    for item in items {
      let (sum, overflow) = total.calories.addingReportingOverflow(item.calories)
      if !overflow { total.calories = sum }
      total.protein = RecipeRules.sum(total.protein, item.protein)
      total.carbs = RecipeRules.sum(total.carbs, item.carbs)
      total.fat = RecipeRules.sum(total.fat, item.fat)
      others = OtherNutrients.sum(others, item.nutrients)
    }
    total.nutrients = others.map { NutrientTotals($0) }
    return total
  }

  /// The amounts of `portions` of a recipe that makes `made` portions: each times `portions` ÷ `made`, rounded once, half away from
  /// zero, energy to whole kcal and grams to hundredths. Nil when `made` is not positive, or on overflow.
  package static func portions(_ portions: Decimal, of made: Decimal, _ total: Nutrients) -> Nutrients? {
    guard made > .zero else { return nil }
    let scale = max(portions.scale, made.scale)
    guard let numerator = portions.units(ofScale: scale), let denominator = made.units(ofScale: scale) else {
      return nil
    }
    func part(_ amount: Decimal, _ digits: Int) -> Decimal? {
      amount.multiplied(by: numerator, over: denominator, roundedTo: digits)?.normalized
    }
    guard let calories = part(Decimal(Int64(total.calories)), 0) else { return nil }
    var result = Nutrients(calories: Int(calories.significand))
    for member in [\Nutrients.protein, \.carbs, \.fat] {
      guard let amount = total[keyPath: member] else { continue }
      guard let grams = part(amount, 2) else { return nil }
      result[keyPath: member] = grams
    }
    if let others = total.nutrients {
      guard let part = OtherNutrients(others).mapped({ part($0, 2) }) else { return nil }
      result.nutrients = NutrientTotals(part)
    }
    return result
  }

  /// Whether a meal may have these amounts.
  package static func fitsMeal(_ nutrients: Nutrients) -> Bool {
    calories.contains(nutrients.calories)
      && [nutrients.protein, nutrients.carbs, nutrients.fat].allSatisfy { $0.map { $0 <= mostGrams } ?? true }
      && nutrients.nutrients.map { OtherNutrients($0).fitsMeal } != false
  }

  private static func sum(_ left: Decimal?, _ right: Decimal?) -> Decimal? {
    guard let right else { return left }
    return ((left ?? .zero).adding(right) ?? left)?.normalized
  }
}
