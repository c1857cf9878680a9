import CivilTime
import DaybookProtocol
import FileStoreTesting
import Testing
import Values

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

  @Test("However meals came, went and changed, it equals an index built from scratch", arguments: 0..<12)
  func histories(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = FoodIndex()
    var meals: [EntityID: (MealPlace, LoggedFood)] = [:]
    for step in 0..<400 {
      let id = id(Int.random(in: 1...60, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        index.remove(id)
        meals[id] = nil
      } else {
        let day = CivilDay(daysSinceEpoch: Int32.random(in: 20_000...20_006, using: &random))
        let place = MealPlace(day: day, createdAt: Instant(milliseconds: .random(in: 0...3, using: &random)), id: id)
        let food = meal(&random)
        index.put(place, food)
        meals[id] = (place, food)
      }
      guard step % 5 == 0 else { continue }
      let rebuilt = FoodIndex(meals.values.sorted { seed % 2 == 0 ? $1.0 < $0.0 : $0.0.id < $1.0.id })
      compare(index, rebuilt)
      check(index, meals.values.map { $0 })
    }
  }

  @Test("Months that are known as a whole say the same, packed and opened as well", arguments: 0..<12)
  func months(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var meals: [EntityID: (MealPlace, LoggedFood)] = [:]
    let first = CivilDay(daysSinceEpoch: 20_089).month.lowerBound
    func place(_ id: EntityID) -> MealPlace {
      MealPlace(
        day: first.advanced(by: .random(in: 0..<120, using: &random)),
        createdAt: Instant(milliseconds: .random(in: 0...3, using: &random)), id: id)
    }
    for number in 1...80 { meals[id(number)] = (place(id(number)), meal(&random)) }
    func list(_ month: CivilDay) -> [(MealPlace, LoggedFood)] {
      meals.values.filter { $0.0.day.month.lowerBound == month }.sorted { $1.0 < $0.0 }
    }
    let all = Set(meals.values.map { $0.0.day.month.lowerBound })
    let closed = all.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let months = try closed.sorted().map { month in
      let bytes = FoodMonth(month, of: list(month)).bytes
      #expect(bytes.dropLast().withUnsafeBytes { FoodMonth(month, $0) } == nil, "half a month is none")
      return try #require(bytes.withUnsafeBytes { FoodMonth(month, $0) })
    }
    var index = FoodIndex(all.subtracting(closed).sorted().flatMap { list($0) }, months)
    check(index, Array(meals.values))
    for _ in 0..<60 {
      let id = id(.random(in: 1...90, using: &random))
      let (old, new) = (meals[id], Bool.random(using: &random) ? (place(id), meal(&random)) : nil)
      meals[id] = new
      for month in [new?.0.day.month.lowerBound, old?.0.day.month.lowerBound].compactMap(\.self)
      where index.isClosed(month) { index.open(month, list(month)) }
      if let new { index.put(new.0, new.1) } else { index.remove(id) }
      compare(index, FoodIndex(meals.values.sorted { $1.0 < $0.0 }))
      check(index, Array(meals.values))
    }
  }

  /// Both answer everything alike.
  private func compare(_ left: FoodIndex, _ right: FoodIndex) {
    #expect(left.count == right.count)
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

  /// The same as the plainest way to compute it.
  private func check(_ index: FoodIndex, _ meals: [(MealPlace, LoggedFood)]) {
    let groups = Dictionary(grouping: meals) { FoodName.folded($0.1.name) }
      .mapValues { $0.sorted { $1.0 < $0.0 } }
    let recent = groups.values.sorted { $1[0].0 < $0[0].0 }
    let recents = index.list(.recency, type: nil, limit: 200) { _ in true }
    #expect(recents.foods.map(\.mealId) == recent.map { $0[0].0.id })
    #expect(!recents.hasMore && recents.foods.allSatisfy(\.favourite))
    for (food, meals) in zip(recents.foods, recent) {
      let latest = meals[0]
      #expect(food.name == latest.1.name && food.timesLogged == meals.count && food.lastDay == latest.0.day)
      #expect(index.isLogged(FoodName.folded(latest.1.name)))
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
    let place = FoodName.folded(name).withUnsafeBufferPointer { FoodSearch(query).match($0) }
    #expect(place.map { FoodMatch.known[$0] } == match)
  }

  @Test("What a name does not have", arguments: [("rice cream", "Rice cakes"), ("ricee", "Rice"), ("x", "Rice")])
  func mismatches(_ query: String, _ name: String) {
    #expect(FoodName.folded(name).withUnsafeBufferPointer { FoodSearch(query).match($0) } == nil)
  }

  @Test("A search goes by match, then day, then how often, then the latest meal")
  func ranking() {
    var index = FoodIndex()
    var number = 0
    for (day, name) in [
      (1, "Rice"), (5, "Fried rice"), (4, "Rice pudding"), (2, "Rice cakes"), (2, "Rice noodles"), (1, "Rice noodles"),
      (3, "Licorice"),
    ] {
      number += 1
      index.put(
        MealPlace(day: CivilDay(daysSinceEpoch: Int32(day)), createdAt: Instant(milliseconds: 0), id: id(number)),
        LoggedFood(name: name, mealType: .meal, nutrients: Nutrients(calories: 1)))
    }
    let found = index.search("rice", type: nil, limit: 5) { _ in false }
    #expect(found.foods.map(\.name) == ["Rice", "Rice pudding", "Rice noodles", "Rice cakes", "Fried rice"])
    #expect(found.hasMore)
  }
}
