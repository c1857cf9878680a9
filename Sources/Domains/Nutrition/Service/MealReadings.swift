import DomainKit
import EntryWords
import JSON
import Nutrition
import TextFolding

/// Lines of text as meals.
extension NutritionService {
  /// Energy above it needs the kind, kcal.
  static let mostEntryEnergy = 5000

  func mealReadings(_ line: EntryLine, on day: CivilDay, _ context: Context) throws(RPCError) -> [EntryCandidate] {
    let index = try foodIndex.current(context).index
    let entry = try RPCError.reading { () throws(EntryProblem) in try MealEntry(line, isKnown: index.isLogged) }
    guard let entry else { return [] }
    let food = index.food(named: entry.folded)
    let name = food?.name ?? entry.name
    var meal = EntryMeal(entry)
    if entry.energy == nil, let id = food?.mealId, let last = try context.find(Meal.self, id) {
      guard meal.take(last, entry) else { return [] }
    }
    let text = [
      "Meal “\(name)”: " + (meal.energy.map { "\($0) kcal" } ?? "without its energy"), entry.mealType?.rawValue,
    ]
    return [
      EntryCandidate(
        .meal, food == nil ? .newName : .fullName, text.compactMap { $0 }.joined(separator: ", "), .mealsAdd,
        [("name", .string(name))] + meal.params + [("time", line.timeParam), ("day", day.param)],
        needs: meal.energy == nil ? .calories : nil, newName: food == nil ? entry.folded : nil,
        doubt: NutritionService.doubt(energy: meal.energy))
    ]
  }

  /// Why an energy needs the kind.
  static func doubt(energy: Int?) -> String? {
    energy.flatMap { $0 > mostEntryEnergy ? "\($0) kcal is more than \(mostEntryEnergy) kcal" : nil }
  }

  package func hasEntryName(_ folded: [UInt8], _ context: Context) throws(RPCError) -> Bool {
    try foodIndex.current(context).index.isLogged(folded)
  }

  package func summary(
    of entry: EntryCandidate, on day: CivilDay, label: String, _ context: Context
  ) throws(RPCError) -> String {
    let facts = try facts(day...day, context).first
    switch entry.kind {
    case .weight:
      guard let trend = try weightTrend(from: day, context).value(on: day),
        let kilograms = Decimal(rounding: trend, toScale: 1)
      else { return "logged \(label)" }
      return "trend \(kilograms.normalized) kg \(label)"
    case .water: return "\(facts?.water?.rounded(toScale: 0) ?? .zero) ml \(label)"
    case .exercise: return "\(facts?.exercise.calories ?? 0) kcal burned \(label)"
    default:
      let left = DayRules.eatingTarget(try context.settings(), on: day) - (facts?.totals.calories ?? 0)
      return left < 0 ? "\(-left) kcal over the target \(label)" : "\(left) kcal left \(label)"
    }
  }

  package func completions(
    of start: [UInt8], atMost limit: Int, _ context: Context
  ) throws(RPCError) -> [EntryCompletion] {
    try foodIndex.current(context).index.foods(startingWith: start, atMost: limit).map {
      EntryCompletion(text: $0.name, detail: "\($0.calories) kcal", kind: .meal)
    }
  }
}

/// The numbers of a meal that an entry describes.
private struct EntryMeal {
  var energy: Int?
  private var nutrients: [EntryUnit: Decimal]
  private var others: OtherNutrients?
  private var amount: Decimal?
  private var unit: String?
  private var mealType: MealType?

  init(_ entry: MealEntry) {
    (energy, nutrients, mealType) = (entry.energy, entry.nutrients, entry.mealType)
    (amount, unit) = (entry.amount, entry.unit?.rawValue)
  }

  /// Takes what the entry leaves out from the last meal of its food, scaled; false when that is more than a meal has.
  mutating func take(_ last: Meal, _ entry: MealEntry) -> Bool {
    guard let (part, whole) = entry.ratio(to: last) else { return true }
    let all = Nutrients(
      calories: last.calories, protein: last.protein, carbs: last.carbs, fat: last.fat,
      nutrients: last.nutrients.map { NutrientTotals($0) })
    guard let scaled = RecipeRules.portions(part, of: whole, all), RecipeRules.fitsMeal(scaled) else { return false }
    energy = scaled.calories
    for (unit, grams) in [(EntryUnit.protein, scaled.protein), (.carbs, scaled.carbs), (.fat, scaled.fat)] {
      nutrients[unit] = nutrients[unit] ?? grams
    }
    others = scaled.nutrients.map { OtherNutrients($0) }
    if amount == nil {
      amount = last.amount.flatMap {
        $0.multiplied(by: entry.factor?.units(ofScale: 3) ?? 1000, over: 1000, roundedTo: 3)
      }
      unit = last.unit
    } else if unit == nil, last.amount != nil {
      unit = last.unit
    }
    return true
  }

  var params: [(String, JSONValue?)] {
    [
      ("calories", energy.map { .number(JSONNumber($0)) }), ("mealType", mealType.map { .string($0.rawValue) }),
      ("protein", nutrients[.protein].map { JSONValue($0) }), ("carbs", nutrients[.carbs].map { JSONValue($0) }),
      ("fat", nutrients[.fat].map { JSONValue($0) }), ("nutrients", others.map { jsonValue($0) }),
      ("amount", amount.map { JSONValue($0) }), ("unit", unit.map { .string($0) }),
    ]
  }
}
