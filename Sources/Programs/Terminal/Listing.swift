import CivilTime
import JSON
import Values

/// A listing of stored records: the request that has them, and the table that shows them.
package enum Listing: String, CaseIterable, Sendable {
  case meals, weights, habits, subscriptions, charges, workouts

  /// Whether its usual days are the next ones, not the last ones.
  package var looksAhead: Bool { self == .charges }

  /// The request for a range of days.
  package func request(
    _ range: ClosedRange<CivilDay>, today: CivilDay
  ) -> (method: String, params: [JSONObject.Member]) {
    let to = JSONValue.string("\(range.upperBound)")
    let days: [JSONObject.Member] = [("from", .string("\(range.lowerBound)")), ("to", to)]
    let most: JSONObject.Member = ("limit", .number(JSONNumber(10_000)))
    switch self {
    case .meals, .weights: return ("\(rawValue)/list", days + [most])
    case .charges: return ("charges/list", days + [most])
    case .workouts: return ("workoutSessions/list", days + [most])
    case .subscriptions: return ("subscriptions/list", [("day", to), most])
    case .habits:
      // Rates end today.
      let last = min(range.upperBound, today)
      return ("habits/overview", [("from", .string("\(min(range.lowerBound, last))")), ("to", .string("\(last)"))])
    }
  }

  /// The items of a result.
  package func items(of result: JSONValue) -> [JSONValue] { result.list(self == .workouts ? "sessions" : rawValue) }

  package static let noHabits = "There are no habits yet: “daybook call habits/add name=Read” adds one."

  /// The page of some items.
  ///
  /// - Parameters:
  ///   - result: The last page of the result, which has totals.
  ///   - habits: The habits, for `habits`.
  package func lines(
    _ items: [JSONValue], _ result: JSONValue, _ range: ClosedRange<CivilDay>, habits: [JSONValue],
    on surface: Surface
  ) -> [String] {
    var table = Table(columns)
    if self == .habits {
      let shares = Dictionary(items.map { ($0.text("habitId"), $0) }) { $1 }
      table.rows = habits.map { Listing.row(ofHabit: $0, shares[$0.text("id")]) }
      if habits.isEmpty { return surface.lines(Listing.noHabits) }
    } else {
      table.rows = items.map { row(of: $0, surface) }
    }
    guard !items.isEmpty || self == .habits else {
      let days = "from \(range.lowerBound) to \(range.upperBound)"
      return surface.lines("There are no \(rawValue)" + (self == .subscriptions ? "." : " \(days)."))
    }
    return table.lines(on: surface) + footer(items, result, range, surface)
  }

  private var columns: [Column] {
    switch self {
    case .meals:
      [
        Column("Day", .word, leaves: 1), Column("Time", .word, leaves: 3), Column("Meal", .name),
        Column("kcal", .number),
        Column("Type", .word, leaves: 4), Column("Amount", .number, leaves: 2),
      ]
    case .weights:
      [
        Column("Day", .word, leaves: 1), Column("Time", .word, leaves: 3), Column("Weight", .number),
        Column("Note", .name, leaves: 2),
      ]
    case .habits:
      [
        Column("Habit", .name), Column("Done", .number, leaves: 2), Column("%", .number),
        Column("Target", .number, leaves: 3), Column("Schedule", .word, leaves: 4),
      ]
    case .subscriptions:
      [
        Column("Subscription", .name), Column("Price", .number), Column("Next", .word, leaves: 1),
        Column("Status", .word, leaves: 2), Column("Monthly", .number, leaves: 3),
      ]
    case .charges:
      [
        Column("", .word), Column("Day", .word), Column("Charge", .name), Column("Price", .number, leaves: 1),
        Column("When", .word, leaves: 2),
      ]
    case .workouts:
      [
        Column("Day", .word), Column("Workout", .name), Column("Sets", .number, leaves: 2),
        Column("min", .number, leaves: 1), Column("kcal", .number, leaves: 3),
      ]
    }
  }

  private func row(of item: JSONValue, _ surface: Surface) -> [Cell] {
    let day = Cell(item.text("day"))
    switch self {
    case .meals:
      let unit = item["unit"]?.text.map { " \($0)" } ?? ""
      return [
        day, Cell(item.text("time"), .dim), Cell(item.text("name")), Cell("\(item["calories"]?.integer ?? 0)"),
        Cell(item.text("mealType"), .dim), Cell(item["amount"]?.text.map { $0 + unit } ?? "", .dim),
      ]
    case .weights:
      let typed = item["typed"]
      let pounds = typed?["pounds"]?.text.map { " \($0) lb" } ?? ""
      let weight = "\(typed?.text("value") ?? "") \(typed?.text("unit") ?? "")\(pounds)"
      return [day, Cell(item.text("at"), .dim), Cell(weight), Cell(item.text("note"), .dim)]
    case .subscriptions:
      let state = item["state"]
      return [
        Cell(item["subscription"]?.text("name") ?? ""), Cell(Listing.money(state?["price"])),
        Cell(state?["next"]?.text("day") ?? ""), Cell(state?.text("status") ?? "", .dim),
        Cell(Listing.money(state?["monthly"]), .dim),
      ]
    case .charges:
      let state = item["paid"]?.isTrue == true ? "done" : item["inDays"]?.integer == 0 ? "due" : "planned"
      return [
        surface.mark(of: state), day, Cell(item.text("name")), Cell(Listing.money(item["cost"])),
        Cell(item.text("label"), .dim),
      ]
    case .workouts:
      let sets = item.list("modules").flatMap { $0.list("exercises") }.flatMap { $0.list("groups") }
        .flatMap { $0.list("sets") }
      let done = sets.filter { $0["done"]?.isTrue == true }.count
      return [
        day, Cell(item.text("name")), Cell("\(done)"), Cell("\((item["seconds"]?.integer ?? 0) / 60)"),
        Cell(item["kcal"]?.integer.map { "\($0)" } ?? "", .dim),
      ]
    case .habits: return []
    }
  }
}
