import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Nutrition

@Suite("Recipes")
struct RecipeRulesTests {
  @Test(
    "Portions are rounded once, half away from zero",
    arguments: [
      (1810, "1", "4", 453), (1810, "1.5", "4", 679), (1810, "0.33", "4", 149), (1, "0.5", "1", 1), (1, "0.49", "1", 0),
      (5, "1", "2", 3), (0, "1000", "0.01", 0), (2_000_000, "1000", "0.01", 200_000_000_000), (100, "3", "3.00", 100),
    ])
  func calories(_ total: Int, _ portions: String, _ made: String, _ expected: Int) throws {
    let (portions, made) = (try #require(Decimal(portions)), try #require(Decimal(made)))
    #expect(RecipeRules.portions(portions, of: made, Nutrients(calories: total))?.calories == expected)
  }

  @Test(
    "Grams have two digits, and absent amounts stay absent",
    arguments: [
      ("72", "1", "4", "18"), ("80", "0.33", "4", "6.6"), ("10", "1", "3", "3.33"), ("0.05", "0.1", "1", "0.01"),
    ])
  func grams(_ total: String, _ portions: String, _ made: String, _ expected: String) throws {
    let nutrients = Nutrients(calories: 0, fat: Decimal(total))
    let part = RecipeRules.portions(
      try #require(Decimal(portions)), of: try #require(Decimal(made)), nutrients)
    #expect(part?.fat?.description == expected && part?.protein == nil && part?.carbs == nil)
  }

  @Test("A recipe without portions has no amounts", arguments: ["0", "-1"])
  func none(_ made: String) throws {
    #expect(RecipeRules.portions(Decimal(1), of: try #require(Decimal(made)), Nutrients(calories: 1)) == nil)
  }

  @Test("The total sums all items, grams over those that state them")
  func total() {
    let items = [
      RecipeItem(name: "a", calories: 20000, protein: Decimal("1.50")), RecipeItem(name: "b", calories: 1),
      RecipeItem(name: "c", calories: 2, protein: Decimal("0.5"), carbs: Decimal("0.00")),
    ]
    let total = RecipeRules.total(items)
    #expect(total.calories == 20003 && total.protein?.description == "2" && total.carbs == Decimal(0))
    #expect(total.fat == nil && !RecipeRules.fitsMeal(total))
    #expect(RecipeRules.total([]) == Nutrients(calories: 0))
    #expect(RecipeRules.fitsMeal(Nutrients(calories: 20000, fat: Decimal(5000))))
    #expect(!RecipeRules.fitsMeal(Nutrients(calories: 0, fat: Decimal("5000.01"))))
  }

  @Test("Eating all portions one by one is within rounding of eating them at once", arguments: 0..<50)
  func parts(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let total = Nutrients(
      calories: Int.random(in: 0...2_000_000, using: &random),
      protein: Decimal(significand: .random(in: 0...500_000, using: &random), scale: 2))
    let made = Int64.random(in: 1...1000, using: &random)
    let one = try #require(RecipeRules.portions(Decimal(1), of: Decimal(made), total))
    #expect(RecipeRules.portions(Decimal(made), of: Decimal(made), total) == total)
    #expect(abs(one.calories * Int(made) - total.calories) * 2 <= Int(made))
  }
}

@Suite("Copies of days")
struct MealCopiesTests {
  private func meal(_ id: UInt64, _ day: Int32) -> Meal {
    Meal(
      id: EntityID(high: 0, low: id), day: CivilDay(daysSinceEpoch: day), zone: .utc, name: "x", calories: 1,
      mealType: .meal, note: "n", createdAt: Instant(milliseconds: 5), updatedAt: Instant(milliseconds: 6))
  }

  @Test("Copies are on the shifted days, in order, with the content of their originals")
  func copies() {
    var next: UInt64 = 100
    let copies = MealCopies.copies(
      of: [meal(1, 10), meal(2, 10), meal(3, 12)], shift: 7, zone: .utc, now: Instant(milliseconds: 1000),
      .fresh {
        next += 1
        return EntityID(high: 9, low: next)
      })
    #expect(copies.map(\.id.low) == [101, 102, 103] && copies.map(\.day.daysSinceEpoch) == [17, 17, 19])
    #expect(copies.map(\.createdAt.milliseconds) == [1000, 1001, 1000])
    #expect(copies.allSatisfy { $0.note == "n" && $0.updatedAt == $0.createdAt })
  }

  @Test("Copies are not copied again under the same id")
  func again() {
    func copies(_ meals: [Meal]) -> [Meal] {
      MealCopies.copies(
        of: meals, shift: 1, zone: .utc, now: Instant(milliseconds: 0), .derived(high: 7) { $0.low + 1000 })
    }
    let once = copies([meal(1, 10), meal(2, 11)])
    #expect(once.map(\.id) == [EntityID(high: 7, low: 1001), EntityID(high: 7, low: 1002)])
    #expect(copies([meal(1, 10)] + once + [meal(2, 11)]) == once)
    #expect(copies(once).isEmpty)
  }
}
