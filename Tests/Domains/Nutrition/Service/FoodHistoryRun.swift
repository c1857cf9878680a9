import FileStoreTesting
import JSON
import Nutrition
import ProcessTesting
import ServerTesting
import TextFolding

/// A random history of meals, changed in every way through two services on one folder, during which the foods must match the
/// listed meals.
struct FoodHistoryRun {
  private let folder: String
  private let service: InProcessService
  /// Another process on the folder.
  private let other: InProcessService
  private var random: SeededGenerator
  /// The violated expectations.
  private(set) var mismatches: [String] = []

  private static let names = ["Rice", "RICE", "Rice cakes", "Fried rice", "Crème", "creme", "Soup", "Soup 🍜", "a"]
  private static let types = ["breakfast", "lunch", "dinner", "snack", "meal"]
  private static let recipe = "aaaaaaaa-0000-4000-8000-000000000001"

  init?(folder: String, seed: UInt64) {
    guard let service = InProcessService(folder: folder), let other = InProcessService(folder: folder) else {
      return nil
    }
    self.folder = folder
    self.service = service
    self.other = other
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for step in 0..<steps where mismatches.isEmpty {
      change()
      if Int.random(in: 0..<5, using: &random) == 0 { DigestRounds.checkpoint(folder) }
      if Int.random(in: 0..<8, using: &random) == 0 { cold() }
      if Int.random(in: 0..<2, using: &random) == 0 { compare(service) }
      if step % 7 == 6 { compare(other) }
    }
    cold()
    DigestRounds.drop(folder)
    cold()
    compare(service)
    compare(other)
    service.close()
    other.close()
  }

  /// A service without caches, which begins with the digests.
  private mutating func cold() {
    guard let cold = InProcessService(folder: folder) else { return mismatches.append("no pipes") }
    compare(cold)
    change(by: cold)
    compare(cold)
    cold.close()
  }

  private mutating func day() -> String {
    "2026-0\(Int.random(in: 1...2, using: &random))-1\(Int.random(in: 0...3, using: &random))"
  }

  private mutating func id() -> String {
    "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<30, using: &random))"
  }

  private mutating func name() -> String { FoodHistoryRun.names.randomElement(using: &random) ?? "" }

  private mutating func change() { change(by: Int.random(in: 0..<4, using: &random) == 0 ? other : service) }

  private mutating func change(by writer: InProcessService) {
    let (id, day, name) = (id(), day(), name())
    let calories = Int.random(in: 0...900, using: &random)
    let type = FoodHistoryRun.types.randomElement(using: &random) ?? ""
    let said = "\"day\":\"\(day)\",\"calories\":\(calories),\"mealType\":\"\(type)\",\"fat\":\"\(calories % 50).50\""
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<7: _ = writer.call("meals/add", "{\"id\":\"\(id)\",\"name\":\"\(name)\",\(said)}")
    case 7..<10: _ = writer.call("meals/update", "{\"id\":\"\(id)\",\"name\":\"\(name)\",\(said)}")
    case 10..<12: _ = writer.call("meals/delete", "{\"id\":\"\(id)\"}")
    case 12..<14: _ = writer.call("changes/undo", "{}")
    case 14: _ = writer.call("meals/quickAdd", "{\"id\":\"\(id)\",\(said)}")
    case 15:
      _ = writer.call("meals/copyDays", "{\"from\":\"\(day)\",\"target\":\"\(self.day())\",\"copyId\":\"\(id)\"}")
    case 16: _ = writer.call("meals/copy", "{\"id\":\"\(id)\",\"day\":\"\(day)\"}")
    case 17:
      _ = writer.call(
        "recipes/add",
        "{\"id\":\"\(FoodHistoryRun.recipe)\",\"name\":\"Soup\",\"items\":[{\"name\":\"x\",\"calories\":500}]}")
    case 18: _ = writer.call("recipes/log", "{\"id\":\"\(FoodHistoryRun.recipe)\",\"portions\":\"0.5\"}")
    case 19:
      let mark = Bool.random(using: &random)
      _ = writer.call("foods/setFavourite", "{\"name\":\"\(name)\",\"calories\":1,\"favourite\":\(mark)}")
    case 20: bring(writer, mode: "merge", id, day, name, calories)
    case 21 where calories % 4 == 0: bring(writer, mode: "replace", id, day, name, calories)
    case 22 where calories % 4 == 0: deleteAll(writer)
    default: _ = writer.call("settings/update", "{\"age\":\(20 + calories % 50)}")
    }
  }

  /// Imports one meal.
  private func bring(
    _ writer: InProcessService, mode: String, _ id: String, _ day: String, _ name: String, _ calories: Int
  ) {
    let stamp = "2026-01-01T00:00:00.\(100 + calories % 900)Z"
    let body =
      "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"zone\":\"UTC\",\"name\":\"\(name)\",\"calories\":\(calories),"
      + "\"mealType\":\"snack\",\"createdAt\":\"\(stamp)\",\"updatedAt\":\"2027-01-01T00:00:00.000Z\"}"
    let line =
      "{\"collection\":\"meals\",\"id\":\"\(id)\",\"day\":\"\(day)\",\"created\":\"\(stamp)\","
      + "\"updated\":\"2027-01-01T00:00:00.000Z\",\"schema\":1,\"body\":\(body)}"
    _ = writer.call("data/import", "{\"mode\":\"\(mode)\",\"lines\":[\(line)]}")
  }

  /// Deletes everything.
  private func deleteAll(_ writer: InProcessService) {
    let token = writer.call("account/prepareDeletion", "{\"scope\":\"everything\"}")["result"]?["token"]?.string
    guard let token else { return }
    _ = writer.call("account/delete", "{\"token\":\"\(token)\",\"backup\":false}")
  }

  // MARK: comparing

  private mutating func compare(_ service: InProcessService) {
    let listed = service.call("meals/list", "{\"limit\":10000}")["result"]
    let meals = (listed?["meals"]?.array ?? []).filter { $0["quick"] == nil }
    let favourites = (service.call("foods/favourites", "{}")["result"]?["favourites"]?.array ?? [])
      .compactMap { $0["name"]?.string }.map(FoldedName.folded)
    var groups: [[UInt8]: [JSONValue]] = [:]
    for meal in meals { groups[FoldedName.folded(meal["name"]?.string ?? ""), default: []].append(meal) }
    let foods = groups.map { name, meals in Known(name, meals, isFavourite: favourites.contains(name)) }
    let place = Dictionary(
      meals.enumerated().map { ($1["id"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    func isMoreRecent(_ left: Known, _ right: Known) -> Bool { place[left.mealID] ?? 0 < place[right.mealID] ?? 0 }

    let recents = foods.sorted(by: isMoreRecent)
    check(service, "foods/recents", "{\"limit\":200}", recents.map { $0.text(nil) })
    let frequent = recents.sorted { ($1.times, place[$0.mealID] ?? 0) < ($0.times, place[$1.mealID] ?? 0) }
    check(service, "foods/frequent", "{\"limit\":200}", frequent.map { $0.text(nil) })
    for query in ["rice", "c", "soup", "cakes ri", "🍜"] {
      let found = foods.compactMap { food in food.match(FoldedName.folded(query)).map { (food: food, match: $0) } }
        .sorted { left, right in
          if left.match != right.match { return left.match < right.match }
          if left.food.lastDay != right.food.lastDay { return left.food.lastDay > right.food.lastDay }
          if left.food.times != right.food.times { return left.food.times > right.food.times }
          return isMoreRecent(left.food, right.food)
        }
      let kinds = ["exact", "name", "word", "inside", "words"]
      check(
        service, "foods/search", "{\"query\":\"\(query)\",\"limit\":200}", found.map { $0.food.text(kinds[$0.match]) })
    }
  }

  private mutating func check(
    _ service: InProcessService, _ method: String, _ params: String, _ expected: [String]
  ) {
    let response = service.call(method, params)
    let found = (response["result"]?["foods"]?.array ?? [response]).map(\.text)
    if found != expected { mismatches.append("\(method) \(params): \(found) is not \(expected)") }
  }

  /// A food as the listed meals define it.
  private struct Known {
    let name: String
    let folded: String
    let mealID: String
    let lastDay: String
    let times: Int
    private let calories: Int
    private let fat: String?
    private let type: String
    private let isFavourite: Bool

    /// `meals` are newest first.
    init(_ folded: [UInt8], _ meals: [JSONValue], isFavourite: Bool) {
      let latest = meals.first
      name = latest?["name"]?.string ?? ""
      self.folded = String(decoding: folded, as: UTF8.self)
      mealID = latest?["id"]?.string ?? ""
      lastDay = latest?["day"]?.string ?? ""
      times = meals.count
      calories = latest?["calories"]?.integer ?? -1
      fat = latest?["fat"]?.string
      let counts = FoodHistoryRun.types.map { type in meals.count { $0["mealType"]?.string == type } }
      type = FoodHistoryRun.types[counts.firstIndex(of: counts.max() ?? 0) ?? 0]
      self.isFavourite = isFavourite
    }

    /// The wire form.
    func text(_ match: String?) -> String {
      let fat = fat.map { ",\"fat\":\"\($0)\"" } ?? ""
      let match = match.map { ",\"match\":\"\($0)\"" } ?? ""
      return "{\"name\":\"\(name)\",\"calories\":\(calories)\(fat),\"mealType\":\"\(type)\",\"timesLogged\":\(times),"
        + "\"lastDay\":\"\(lastDay)\",\"mealId\":\"\(mealID)\",\"favourite\":\(isFavourite)\(match)}"
    }

    /// The rank of the match, 0 being the best.
    func match(_ query: [UInt8]) -> Int? {
      let query = String(decoding: query, as: UTF8.self)
      if folded == query { return 0 }
      if folded.hasPrefix(query) { return 1 }
      if folded.contains(" " + query) { return 2 }
      if folded.contains(query) { return 3 }
      let words = query.split(separator: " ")
      return words.count > 1 && words.allSatisfy { folded.contains($0) } ? 4 : nil
    }
  }
}
