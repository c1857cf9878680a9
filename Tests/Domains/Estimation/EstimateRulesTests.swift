import DaybookProtocol
import Estimation
import FileStoreTesting
import Testing

@Suite("The numbers of an estimate")
struct EstimateRulesTests {
  @Test(
    "The midpoint is truncated, for any bounds",
    arguments: [
      (301, 420, 360), (0, 0, 0), (0, 1, 0), (1, 2, 1), (-5, 10, 5), (-10, -5, 0), (10, 5, 10), (20000, 20000, 20000),
      (Int.min, Int.max, 10000), (Int.max, Int.max, 20000),
    ])
  func midpoint(_ low: Int, _ high: Int, _ expected: Int) {
    #expect(EstimateRules.midpoint(low: low, high: high) == expected)
  }

  @Test(
    "The factor multiplies the midpoint, rounded half away from zero",
    arguments: [
      (360, "1.15", 414), (360, "1", 360), (0, "2", 0), (1, "0.5", 1), (3, "0.5", 2), (333, "1.05", 350),
      (333, "0.95", 316), (10000, "2", 20000),
    ])
  func adjusted(_ midpoint: Int, _ factor: String, _ expected: Int) throws {
    let factor = try #require(Decimal(factor))
    #expect(EstimateRules.adjusted(midpoint: midpoint, factor: factor) == expected)
  }

  @Test(
    "A factor outside 0.5…2 is refused",
    arguments: [
      ("9", false), ("2", true), ("2.01", false), ("0", false), ("0.49", false), ("0.5", true), ("1.05", true),
    ])
  func bounded(_ asked: String, _ isGood: Bool) throws {
    let asked: Decimal = try #require(Decimal(asked))
    #expect(EstimateRules.factor(asked) == (isGood ? asked : nil))
    #expect(EstimateRules.factor(nil) == Decimal(1))
  }

  @Test("More than a meal may have is refused")
  func tooMuch() throws {
    #expect(EstimateRules.adjusted(midpoint: 20000, factor: Decimal(2)) == nil)
    #expect(EstimateRules.adjusted(midpoint: 20001, factor: Decimal(1)) == nil)
    #expect(EstimateRules.adjusted(midpoint: -1, factor: Decimal(1)) == nil)
  }

  private func settle(
    _ calories: Int? = nil, _ estimate: Presence<MealEstimate> = .absent, _ factor: String? = nil,
    present: (calories: Int, estimate: MealEstimate?)? = nil
  ) throws(MealNumbers.Problem) -> (calories: Int, estimate: MealEstimate?) {
    try MealNumbers.settle(
      calories: calories, estimate: estimate, factor: factor.flatMap { Decimal($0) }, present: present)
  }

  private let estimate = MealEstimate(low: 301, high: 420, confidence: .medium)

  @Test("A typed number wins and clears the factor; the estimate stays")
  func typedNumber() throws {
    var given = estimate
    given.factor = Decimal(2)
    let added = try settle(500, .value(given))
    #expect(added.calories == 500)
    #expect(added.estimate == estimate)
    let present = (calories: 720, estimate: Optional(given))
    let edited = try settle(500, present: present)
    #expect(edited.calories == 500)
    #expect(edited.estimate == estimate)
    let both = try settle(500, .absent, "1.5", present: present)
    #expect(both.calories == 500 && both.estimate == estimate)
    #expect(try settle(0, .value(given)).calories == 0, "zero is a number")
  }

  @Test("Without typed calories they follow from the estimate, with factor 1 or the stated one")
  func followed() throws {
    let plain = try settle(nil, .value(estimate))
    #expect(plain.calories == 360 && plain.estimate?.factor == Decimal(1))
    let more = try settle(nil, .absent, "1.15", present: (360, plain.estimate))
    #expect(more.calories == 414 && more.estimate?.factor?.description == "1.15")
    let most = try settle(nil, .absent, "2", present: (414, more.estimate))
    #expect(most.calories == 720 && most.estimate?.factor == Decimal(2))
    let after = try settle(nil, .absent, "1", present: (500, estimate))
    #expect(after.calories == 360, "the estimate can be taken up again after a number was typed")
    let untouched = try settle(present: (500, estimate))
    #expect(untouched.calories == 500 && untouched.estimate == estimate)
    let cleared = try settle(nil, .null, present: (414, more.estimate))
    #expect(cleared.calories == 414 && cleared.estimate == nil)
  }

  @Test("Invalid params are refused with their pointer")
  func problems() {
    func pointer(_ body: () throws(MealNumbers.Problem) -> (calories: Int, estimate: MealEstimate?)) -> String? {
      do throws(MealNumbers.Problem) {
        _ = try body()
        return nil
      } catch { return error.pointer }
    }
    #expect(pointer { () throws(MealNumbers.Problem) in try settle() } == "/calories")
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(nil, .null) } == "/calories")
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(nil, .absent, "1", present: (5, nil)) } == "/factor")
    let reversed = MealEstimate(low: 2, high: 1)
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(nil, .value(reversed)) } == "/estimate/high")
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(5, .value(reversed)) } == "/estimate/high")
    let item = EstimatedItem(name: "a", assumptions: "", calories: EstimateRange(low: 5, high: 4))
    let odd = MealEstimate(low: 1, high: 2, items: [item])
    #expect(
      pointer { () throws(MealNumbers.Problem) in try settle(nil, .value(odd)) } == "/estimate/items/0/calories/high")
    let many = MealEstimate(low: 1, high: 2, items: [EstimatedItem](repeating: item, count: 51))
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(nil, .value(many)) } == "/estimate/items")
    let feast = MealEstimate(low: 20000, high: 20000, factor: Decimal(2))
    #expect(pointer { () throws(MealNumbers.Problem) in try settle(nil, .value(feast)) } == "/estimate/factor")
    #expect(
      pointer { () throws(MealNumbers.Problem) in try settle(nil, .absent, "2", present: (1, feast)) } == "/factor")
  }

  @Test("After any edits, a meal's calories are the last typed ones, or its estimate times its factor")
  func histories() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      var meal: (calories: Int, estimate: MealEstimate?) = (0, nil)
      for _ in 0..<12 {
        let low = Int.random(in: 0...9000, using: &random)
        let new = MealEstimate(low: low, high: low + Int.random(in: 0...900, using: &random))
        let typed = Bool.random(using: &random) ? Int.random(in: 0...20000, using: &random) : nil
        let choice: Presence<MealEstimate> = [.absent, .null, .value(new)][Int.random(in: 0...2, using: &random)]
        let factor =
          Bool.random(using: &random) ? Decimal(significand: .random(in: 0...300, using: &random), scale: 2) : nil
        let isGood = EstimateRules.factor(factor) != nil
        let before = meal
        do throws(MealNumbers.Problem) {
          meal = try MealNumbers.settle(calories: typed, estimate: choice, factor: factor, present: before)
        } catch {
          #expect(error.pointer == "/factor" && (typed == nil || !isGood))
          continue
        }
        #expect(isGood)
        #expect(MealNumbers.problem(calories: meal.calories, estimate: meal.estimate) == nil)
        if let typed { #expect(meal.calories == typed && meal.estimate?.factor == nil) }
      }
    }
  }
}
