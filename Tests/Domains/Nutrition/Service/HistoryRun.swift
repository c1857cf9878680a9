import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A random history of calls on a service and a model, which must agree after each.
struct HistoryRun {
  let service: InProcessService
  var model = MealModel()
  private var random: SeededGenerator
  /// The state of a client that only follows the changes.
  private var followed: [String: JSONValue] = [:]
  private var followedRevision = 0
  /// The disagreements.
  private(set) var mismatches: [String] = []
  private let days = ["1999-12-31", "2026-01-04", "2026-01-05", "2026-02-28", "2026-03-01"]

  init(_ service: InProcessService, seed: UInt64) {
    self.service = service
    random = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) {
    for step in 0..<steps where mismatches.isEmpty {
      perform(Int.random(in: 0..<20, using: &random))
      checkDay(days.randomElement(using: &random) ?? "")
      if step % 10 == 9 { follow() }
    }
    checkList(days[0]...days[4])
    follow()
  }

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private mutating func perform(_ kind: Int) {
    let id = "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<40, using: &random))"
    let day = days.randomElement(using: &random) ?? ""
    let calories = Int.random(in: 0...3, using: &random) * 700
    switch kind {
    case 0..<6: add(id, day, calories)
    case 6..<10: update(id, day, calories)
    case 10..<12: delete(id)
    case 12..<14: copy(id, to: "00000000-0000-4000-8000-0000000000\(Int.random(in: 10..<40, using: &random))", day)
    case 14..<17: undo(mealsOnly: kind != 16)
    case 17: settings()
    case 18: checkList(min(day, days[0])...max(day, days[0]))
    default: page(limit: Int.random(in: 1...5, using: &random))
    }
  }

  private mutating func add(_ id: String, _ day: String, _ calories: Int) {
    let name = "Meal \(calories) \\\"🍲\\\" \\n"
    let shown = "Meal \(calories) \"🍲\""
    let response = service.call(
      "meals/add", "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"name\":\"\(name)\",\"calories\":\(calories)}")
    if let present = model.state.meals[id] {
      let isSame = present.day == day && present.name == shown && present.calories == calories && present.note == nil
      expect(
        isSame ? response["result"]?["created"]?.boolean == false : response.errorName == "conflict", response.text)
    } else {
      model.change(meal: id) { state, tick in
        state.meals[id] = MealModel.Meal(
          id: id, day: day, name: shown, calories: calories, created: tick, stamp: tick)
      }
      expect(response["result"]?["created"]?.boolean == true, response.text)
      expect(response["result"]?["revision"]?.integer == model.revision, response.text)
    }
  }

  private mutating func update(_ id: String, _ day: String, _ calories: Int) {
    let clears = Bool.random(using: &random)
    let response = service.call(
      "meals/update",
      "{\"id\":\"\(id)\",\"day\":\"\(day)\",\"calories\":\(calories),\"note\":\(clears ? "null" : "\"n\"")}")
    guard var meal = model.state.meals[id] else { return expect(response.errorName == "notFound", response.text) }
    let old = meal
    (meal.day, meal.calories, meal.note) = (day, calories, clears ? nil : "n")
    if meal != old {
      model.change(meal: id) { state, tick in
        meal.stamp = tick
        state.meals[id] = meal
      }
    }
    expect(response["result"]?["meal"].map(meal.matches) == true, response.text)
    expect(response["result"]?["revision"]?.integer == model.revision, response.text)
  }

  private mutating func delete(_ id: String) {
    let response = service.call("meals/delete", "{\"id\":\"\(id)\"}")
    guard model.state.meals[id] != nil else { return expect(response.errorName == "notFound", response.text) }
    model.change(meal: id) { state, _ in state.meals[id] = nil }
    expect(response["result"]?["revision"]?.integer == model.revision, response.text)
  }

  private mutating func copy(_ id: String, to new: String, _ day: String) {
    let response = service.call("meals/copy", "{\"id\":\"\(id)\",\"copyId\":\"\(new)\",\"day\":\"\(day)\"}")
    guard var meal = model.state.meals[id] else { return expect(response.errorName == "notFound", response.text) }
    meal.id = new
    meal.day = day
    if let present = model.state.meals[new] {
      (meal.created, meal.stamp) = (present.created, present.stamp)
      let isSame = present == meal
      expect(
        isSame ? response["result"]?["created"]?.boolean == false : response.errorName == "conflict", response.text)
    } else {
      model.change(meal: new) { state, tick in
        (meal.created, meal.stamp) = (tick, tick)
        state.meals[new] = meal
      }
      expect(response["result"]?["created"]?.boolean == true, response.text)
    }
  }

  private mutating func undo(mealsOnly: Bool) {
    let response = service.call(mealsOnly ? "meals/undo" : "changes/undo", "{}")
    switch model.undo(mealsOnly: mealsOnly) {
    case .nothing: expect(response.errorName == "nothingToUndo", response.text)
    case .conflict: expect(response.errorName == "conflict", response.text)
    case .done(let revision):
      expect(response["result"]?["undoneRevision"]?.integer == revision, response.text)
      expect(response["result"]?["revision"]?.integer == model.revision, response.text)
    }
  }

  private mutating func settings() {
    let (total, deficit) = (Int.random(in: 1...3, using: &random) * 1000, Int.random(in: 0...2, using: &random) * 250)
    let response = service.call("settings/update", "{\"totalCalories\":\(total),\"targetDeficit\":\(deficit)}")
    model.change(meal: nil) { state, _ in
      state.settings = MealModel.Settings(total: total, deficit: deficit, isTotalCustom: true, isDeficitCustom: true)
    }
    expect(response["result"]?["eatingTarget"]?.integer == total - deficit, response.text)
    expect(response["result"]?["revision"]?.integer == model.revision, response.text)
  }

  // MARK: comparing

  private mutating func checkDay(_ day: String) {
    let response = service.call("days/get", "{\"day\":\"\(day)\"}")
    guard let today = response["result"] else { return expect(false, response.text) }
    let (total, consumed) = (today["totalCalories"]?.integer, today["caloriesConsumed"]?.integer)
    expect(today["deficitAchieved"]?.integer == (total ?? 0) - (consumed ?? 0), "the invariant: \(today.text)")
    expect(total == model.state.settings.total && consumed == model.consumed(day), today.text)
    expect(
      today["remainingCalories"]?.integer == model.state.settings.total - model.state.settings.deficit
        - model.consumed(day), today.text)
    expect(today["mealCount"]?.integer == model.list(day...day).count, today.text)
    expect((today["status"]?["kind"]?.string == "noData") == model.list(day...day).isEmpty, today.text)
    expect(today["revision"]?.integer == model.revision, today.text)
  }

  private mutating func checkList(_ days: ClosedRange<String>) {
    let response = service.call("meals/list", "{\"from\":\"\(days.lowerBound)\",\"to\":\"\(days.upperBound)\"}")
    let meals = response["result"]?["meals"]?.array ?? []
    let expected = model.list(days)
    expect(meals.count == expected.count && zip(meals, expected).allSatisfy { $1.matches($0) }, response.text)
  }

  private mutating func page(limit: Int) {
    var meals: [JSONValue] = []
    var cursor: String?
    repeat {
      let at = cursor.map { ",\"cursor\":\"\($0)\"" } ?? ""
      let response = service.call("meals/list", "{\"limit\":\(limit)\(at)}")
      let page = response["result"]?["meals"]?.array ?? []
      cursor = response["result"]?["nextCursor"]?.string
      expect(page.count <= limit && (cursor == nil || page.count == limit), response.text)
      meals += page
    } while cursor != nil && mismatches.isEmpty
    let expected = model.list("1900-01-01"..."2200-12-31")
    expect(meals.count == expected.count && zip(meals, expected).allSatisfy { $1.matches($0) }, "pages of \(limit)")
  }

  /// Updates the follower by the changes alone, and compares it with the whole state.
  private mutating func follow() {
    let limit = Int.random(in: 1...7, using: &random)
    var hasMore = true
    while hasMore, mismatches.isEmpty {
      let page = service.call("changes/since", "{\"revision\":\(followedRevision),\"limit\":\(limit)}")["result"]
      for change in page?["changes"]?.array ?? [] where change["domain"]?.string == "meals" {
        let id = change["id"]?.string ?? ""
        let meal = service.call("meals/get", "{\"id\":\"\(id)\"}")["result"]?["meal"]
        expect((change["kind"]?.string == "deleted") == (meal == nil), "\(change.text) \(meal?.text ?? "gone")")
        followed[id] = meal
      }
      followedRevision = page?["revision"]?.integer ?? -1
      hasMore = page?["hasMore"]?.boolean ?? false
    }
    let (reached, latest) = (followedRevision, model.revision)
    expect(reached == latest, "followed to \(reached) of \(latest)")
    let isSame =
      followed.count == model.state.meals.count
      && followed.allSatisfy { model.state.meals[$0.key]?.matches($0.value) == true }
    expect(isSame, "following the changes leads elsewhere")
  }
}
