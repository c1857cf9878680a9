import CivilTime
import JSON
import Values

extension Listing {
  /// An amount of money as text.
  static func money(_ money: JSONValue?) -> String {
    money.map { "\($0.text("amount")) \($0.text("currency"))" } ?? ""
  }

  /// The row of a habit, with its share of a range of days.
  static func row(ofHabit habit: JSONValue, _ share: JSONValue?) -> [Cell] {
    let rate = share?["rate"]
    let done = rate.map { "\($0["done"]?.integer ?? 0)/\($0["expected"]?.integer ?? 0)" } ?? ""
    let target = habit.text("target") + (habit["unit"]?.text.map { " \($0)" } ?? "")
    return [
      Cell(habit.text("name")), Cell(done), Cell(rate?["percent"]?.integer.map { "\($0)" } ?? ""),
      Cell(habit.text("measure") == "binary" ? "" : target, .dim), Cell(schedule(habit["schedule"]), .dim),
    ]
  }

  private static func schedule(_ schedule: JSONValue?) -> String {
    guard let schedule else { return "" }
    let times = schedule["times"]?.integer ?? 0
    let days = schedule["days"]?.integer ?? 0
    switch schedule.text("kind") {
    case "weekdays": return schedule.list("weekdays").compactMap { $0.text?.prefix(3) }.joined(separator: " ")
    case "perWeek": return "\(times) a week"
    case "perMonth": return "\(times) a month"
    case "perDays": return "\(times) in \(days) days"
    case "everyDays": return "every \(days) days"
    case let kind: return kind
    }
  }

  /// What follows a table: a line of bars, or totals.
  func footer(
    _ items: [JSONValue], _ result: JSONValue, _ range: ClosedRange<CivilDay>, _ surface: Surface
  ) -> [String] {
    switch self {
    case .meals:
      let energy = byDay(items, range) {
        $0["calories"]?.integer.map(Double.init)
      } joining: {
        $0 + $1
      }
      let total = items.reduce(0) { $0 + ($1["calories"]?.integer ?? 0) }
      let days = energy.filter { $0 != nil }.count
      let average = "\(total / max(days, 1)) kcal a day on \(days) \(days == 1 ? "day" : "days")"
      return ["", Sparkline.text(energy, on: surface)] + surface.lines(average, .dim)
    case .weights:
      // The newest comes first; the last weight of a day counts.
      let weights = byDay(items, range) {
        $0["weight"]?.decimal?.double
      } joining: { newer, _ in
        newer
      }
      return range.dayCount > 1 ? ["", Sparkline.text(weights, on: surface)] : []
    case .charges:
      return [""] + result.list("totals").flatMap { surface.lines("Total \(Listing.money($0))", .bold) }
    case .habits, .subscriptions, .workouts: return []
    }
  }

  /// A value for each day of a range; nil where there is none.
  private func byDay(
    _ items: [JSONValue], _ range: ClosedRange<CivilDay>, _ value: (JSONValue) -> Double?,
    joining join: (Double, Double) -> Double
  ) -> [Double?] {
    var values = [Double?](repeating: nil, count: range.dayCount)
    for item in items {
      guard let day = CivilDay(item.text("day")), range.contains(day), let value = value(item) else { continue }
      let index = Int(day.daysSinceEpoch) - Int(range.lowerBound.daysSinceEpoch)
      values[index] = values[index].map { join($0, value) } ?? value
    }
    return values
  }

  /// The records of an exercise, latest first.
  package static func recordLines(_ records: [JSONValue], of name: String, on surface: Surface) -> [String] {
    guard !records.isEmpty else { return surface.lines("There are no records of “\(name)”.") }
    var table = Table([
      Column("Day", .word, leaves: 1), Column("Exercise", .name, leaves: 3), Column("Record", .word),
      Column("Value", .number),
      Column("Before", .number, leaves: 2),
    ])
    table.rows = records.map { record in
      [
        Cell(record.text("day")), Cell(record.text("exercise")), Cell(record.text("kind")), Cell(record.text("value")),
        Cell(record.text("previous"), .dim),
      ]
    }
    return table.lines(on: surface)
  }
}
