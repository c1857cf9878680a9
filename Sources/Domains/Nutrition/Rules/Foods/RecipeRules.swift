import DaybookProtocol
import Values

/// What saved meals come to.
package enum RecipeRules {
  /// How many items one has.
  package static let itemCounts = 1...100
  /// The energy that a meal may have, kcal.
  private static let calories = 0...20000
  /// Grams of anything that a meal has at most.
  private static let mostGrams = Decimal(5000)

  /// All items together: energy, and grams over the items that say so.
  package static func total(_ items: [RecipeItem]) -> Nutrients {
    var total = Nutrients(calories: 0)
    for item in items {
      let (sum, overflow) = total.calories.addingReportingOverflow(item.calories)
      if !overflow { total.calories = sum }
      total.protein = RecipeRules.sum(total.protein, item.protein)
      total.carbs = RecipeRules.sum(total.carbs, item.carbs)
      total.fat = RecipeRules.sum(total.fat, item.fat)
      total.nutrients = OtherNutrients.sum(total.nutrients, item.nutrients)
    }
    return total
  }

  /// So many portions of something that makes `made` of them: each amount times `portions` ÷ `made`, rounded once, half away from zero,
  /// energy to whole kcal and grams to two digits. Nil when `made` is not greater than zero, or an amount has too many digits.
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
      guard let part = others.mapped({ part($0, 2) }) else { return nil }
      result.nutrients = part
    }
    return result
  }

  /// Whether a meal may have so much.
  package static func fitsMeal(_ nutrients: Nutrients) -> Bool {
    calories.contains(nutrients.calories)
      && [nutrients.protein, nutrients.carbs, nutrients.fat].allSatisfy { $0.map { $0 <= mostGrams } ?? true }
      && nutrients.nutrients?.fitsMeal != false
  }

  private static func sum(_ left: Decimal?, _ right: Decimal?) -> Decimal? {
    guard let right else { return left }
    return ((left ?? .zero).adding(right) ?? left)?.normalized
  }
}
