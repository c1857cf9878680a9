import DaybookProtocol
import FileStoreTesting
import Testing
import TextFolding

@testable import Nutrition

@Suite("The index of foods")
struct FoodIndexTests {
  private static let names = [
    "Rice", "rice", "RICE ", "Rice pudding", "Fried rice", "Licorice", "Price (rice)", "Crème brûlée", "Creme Brulee",
    "cre\u{300}me brulee", "Soup", "Soup, chicken", "Chicken soup", "🍛", "Apple", "Äpple", "a", "A-a", "a a",
  ]
  private static let queries = ["rice", "a", "soup chicken", "CRÈME", "ru", "🍛", "b", "e s", "rice rice", "zzz", "-"]

  private func id(_ number: Int) -> EntityID { EntityID(high: 0, low: UInt64(number)) }

  private func meal(_ random: inout SeededGenerator) -> LoggedFood {
    let grams = Int64.random(in: 0...500_000, using: &random)
    let scale = Int.random(in: 0...2, using: &random)
    let decimal = Decimal(significand: scale == 2 ? grams : grams / 100, scale: scale)
    return LoggedFood(
      name: FoodIndexTests.names.randomElement(using: &random) ?? "",
      mealType: (MealType.known + [.unknown("brunch")]).randomElement(using: &random) ?? .meal,
      nutrients: Nutrients(
        calories: Int.random(in: 0...20000, using: &random), protein: Bool.random(using: &random) ? decimal : nil,
        fat: decimal))
  }

  private typealias Meals = [EntityID: (MealPlace, LoggedFood)]

  private func months(_ meals: Meals) -> [FoodMonth] {
    Dictionary(grouping: meals.values) { $0.0.day.month.lowerBound }.map { FoodMonth($0, of: $1) }
  }

  @Test("An index whose months were replaced equals one built from scratch", arguments: 0..<24)
  func histories(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var meals: Meals = [:]
    let first = CivilDay(daysSinceEpoch: 20_089).month.lowerBound
    // Half of the histories have many meals on few days.
    let days = seed % 2 == 0 ? 6 : 120
    func place(_ id: EntityID) -> MealPlace {
      MealPlace(
        day: first.advanced(by: .random(in: 0..<days, using: &random)),
        createdAt: Instant(milliseconds: .random(in: 0...3, using: &random)), id: id)
    }
    for number in 1...80 { meals[id(number)] = (place(id(number)), meal(&random)) }
    var index = FoodIndex(months(meals))
    check(index, Array(meals.values))
    for _ in 0..<60 {
      let id = id(.random(in: 1...90, using: &random))
      let (old, new) = (meals[id], Int.random(in: 0..<3, using: &random) > 0 ? (place(id), meal(&random)) : nil)
      meals[id] = new
      let touched = Set([new?.0.day.month.lowerBound, old?.0.day.month.lowerBound].compactMap(\.self))
      var names = [old?.1.name, new?.1.name].compactMap(\.self)
      // What changed may also be unknown, as when a month is first read.
      if Bool.random(using: &random) {
        names = touched.flatMap { index.names(in: $0) } + meals.values.map(\.1.name)
      }
      let changed = Dictionary(grouping: meals.values) { $0.0.day.month.lowerBound }
      index.replace(names, in: Dictionary(uniqueKeysWithValues: touched.map { ($0, changed[$0] ?? []) }))
      compare(index, FoodIndex(months(meals)))
      check(index, Array(meals.values))
    }
  }

  @Test("A month that is packed and unpacked is the same; half of one is refused")
  func packing() throws {
    var random = SeededGenerator(seed: 1)
    let first = CivilDay(daysSinceEpoch: 20_089).month.lowerBound
    let meals = (1...80).map { number in
      (MealPlace(day: first, createdAt: Instant(milliseconds: Int64(number)), id: id(number)), meal(&random))
    }
    let month = FoodMonth(first, of: meals)
    let bytes = month.bytes
    #expect(bytes.withUnsafeBytes { FoodMonth(first, $0) } == month)
    #expect(bytes.dropLast().withUnsafeBytes { FoodMonth(first, $0) } == nil)
  }

  /// Both give the same answers.
  private func compare(_ left: FoodIndex, _ right: FoodIndex) {
    #expect(left.numbers(.recency).count == right.numbers(.recency).count)
    for type in [nil, MealType.snack] {
      for limit in [1, 4, 200] {
        for order in FoodOrder.allCases {
          #expect(
            left.list(order, type: type, limit: limit) { $0.count % 2 == 0 }
              == right.list(order, type: type, limit: limit) { $0.count % 2 == 0 })
        }
        for query in FoodIndexTests.queries {
          let (one, other) = (
            left.search(query, type: type, limit: limit) { _ in false },
            right.search(query, type: type, limit: limit) { _ in false }
          )
          #expect(one == other, "\(query)")
        }
      }
    }
  }

  /// The index equals a straightforward computation.
  private func check(_ index: FoodIndex, _ meals: [(MealPlace, LoggedFood)]) {
    let groups = Dictionary(grouping: meals) { FoldedName.folded($0.1.name) }
      .mapValues { $0.sorted { $1.0 < $0.0 } }
    let recent = groups.values.sorted { $1[0].0 < $0[0].0 }
    let recents = index.list(.recency, type: nil, limit: 200) { _ in true }
    #expect(recents.foods.map(\.mealId) == recent.map { $0[0].0.id })
    #expect(!recents.hasMore && recents.foods.allSatisfy(\.favourite))
    for (food, meals) in zip(recents.foods, recent) {
      let latest = meals[0]
      #expect(food.name == latest.1.name && food.timesLogged == meals.count && food.lastDay == latest.0.day)
      #expect(index.isLogged(FoldedName.folded(latest.1.name)))
      let nutrients = latest.1.nutrients
      #expect(food.calories == nutrients.calories && food.protein == nutrients.protein && food.fat == nutrients.fat)
      #expect(food.protein?.description == nutrients.protein?.description)
      let counts = MealType.known.map { type in
        meals.count { $0.1.mealType == type || (type == .meal && !MealType.known.contains($0.1.mealType)) }
      }
      let usual = counts.firstIndex(of: counts.max() ?? 0) ?? 0
      #expect(food.mealType == MealType.known[usual])
    }
    let frequent = recent.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
    #expect(
      index.list(.frequency, type: nil, limit: 200) { _ in false }.foods.map(\.mealId)
        == frequent.map { $0.element[0].0.id })
  }

  @Test(
    "How a name matches",
    arguments: [
      ("rice", "Rice", FoodMatch.exact), ("ri", "Rice", .name), ("rice", "Fried rice", .word),
      ("rice", "Price (rice)", .word), ("ice", "Rice", .inside), ("e c", "Rice cakes", .inside),
      ("cakes rice", "Rice cakes", .words), ("oat b", "Oat bowl", .name), ("bowl", "Oat bowl", .word),
      ("ppl", "Äpple", .inside), ("apple", "Äpple", .exact), ("мен", "ра мен", .word),
    ])
  func matches(_ query: String, _ name: String, _ match: FoodMatch) {
    let place = FoldedName.folded(name).withUnsafeBufferPointer { FoodSearch(query).match($0) }
    #expect(place.map { FoodMatch.known[$0] } == match)
  }

  @Test("Queries that do not match", arguments: [("rice cream", "Rice cakes"), ("ricee", "Rice"), ("x", "Rice")])
  func mismatches(_ query: String, _ name: String) {
    #expect(FoldedName.folded(name).withUnsafeBufferPointer { FoodSearch(query).match($0) } == nil)
  }

  @Test("A search goes by match, then day, then how often, then the latest meal")
  func ranking() {
    let meals = [
      (1, "Rice"), (5, "Fried rice"), (4, "Rice pudding"), (2, "Rice cakes"), (2, "Rice noodles"), (1, "Rice noodles"),
      (3, "Licorice"),
    ].enumerated().map { number, meal in
      (
        MealPlace(day: CivilDay(daysSinceEpoch: Int32(meal.0)), createdAt: Instant(milliseconds: 0), id: id(number)),
        LoggedFood(name: meal.1, mealType: .meal, nutrients: Nutrients(calories: 1))
      )
    }
    let index = FoodIndex([FoodMonth(CivilDay(daysSinceEpoch: 0), of: meals)])
    let found = index.search("rice", type: nil, limit: 5) { _ in false }
    #expect(found.foods.map(\.name) == ["Rice", "Rice pudding", "Rice noodles", "Rice cakes", "Fried rice"])
    #expect(found.hasMore)
  }
}
