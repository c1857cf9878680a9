import DaybookProtocol
import Subscriptions
import Tables

/// A schedule of Actual, from `getSchedules` of its API (`@actual-app/api`) or from a query of its table, whose columns
/// begin with an underscore. Amounts are whole cents, negative for payments.
enum ActualSchedule {
  static let headers = [
    "Schedule", "Amount", "Least", "Most", "Cycle", "Rule", "Start", "Anchor", "Next Charge", "End", "State",
  ]

  static func matches(_ object: JSONObject) -> Bool {
    member("amountOp", object) != nil && member("date", object) != nil
  }

  /// The table row of a schedule; an empty one, which the import ignores, for income and deleted schedules.
  static func row(_ object: JSONObject) -> [String] {
    let amounts = amounts(object)
    guard object["tombstone"]?.isTrue != true, amounts.last.map({ $0 <= 0 }) ?? true else {
      return headers.map { _ in "" }
    }
    // The import refuses “no amount”. Actual counts a range as its middle, and so does the amount.
    var cells = ["no amount", "", ""]
    if let low = amounts.first, let high = amounts.last {
      let (most, least) = (-low, -high)
      cells = [cents((least + most + 1) / 2)] + (least == most ? ["", ""] : [cents(least), cents(most)])
    }
    let isDone = object["completed"]?.isTrue == true
    var date = DateCells()
    switch member("date", object) {
    case .object(let rule): date = DateCells(rule)
    case .string(let day): (date.cycle, date.start) = ("once", day)
    default: break
    }
    return [name(object)] + cells + [
      date.cycle, date.rule, date.start, date.anchor, isDone ? object["next_date"]?.cell ?? "" : "", date.end,
      isDone ? "cancelled" : "",
    ]
  }

  private static func name(_ object: JSONObject) -> String {
    [object["name"], object["payee_name"]].lazy.compactMap { $0?.cell }.first { !$0.isEmpty } ?? ""
  }

  private static func member(_ name: String, _ object: JSONObject) -> JSONValue? { object[name] ?? object["_" + name] }

  /// The amount, or the two bounds of a range, ascending; empty when it cannot be read.
  private static func amounts(_ object: JSONObject) -> [Int] {
    var bounds = [member("amount", object)]
    if case .object(let range) = bounds[0] { bounds = [range["num1"], range["num2"]] }
    let amounts = bounds.compactMap { $0?.whole }.filter { $0.magnitude < mostCents }.sorted()
    return amounts.count == bounds.count ? amounts : []
  }

  /// A limit that no real amount reaches and that keeps sums from overflowing.
  private static let mostCents: UInt = 1 << 60

  private static func cents(_ amount: Int) -> String {
    Decimal(significand: Int64(amount), scale: 2)?.description ?? ""
  }

  /// The date cells of a row.
  private struct DateCells {
    var cycle = ""
    var rule = ""
    var start = ""
    var anchor = ""
    var end = ""

    init() {}

    init(_ rule: JSONObject) {
      let units = ["daily": "day", "weekly": "week", "monthly": "month", "yearly": "year"]
      let frequency = rule["frequency"]?.cell ?? ""
      cycle = "every \(rule["interval"]?.whole ?? 1) \(units[frequency] ?? frequency)"
      start = rule["start"]?.cell ?? ""
      var words: [String] = []
      if frequency == "monthly", case .array(let patterns) = rule["patterns"] { words += days(patterns) }
      if rule["skipWeekend"]?.isTrue == true {
        let weekend = rule["weekendSolveMode"]?.cell == "before" ? WeekendRule.before : .after
        words.append("weekend \(weekend.rawValue)")
        // The first charge may move to before the anchor.
        if let first = CivilDay(start) {
          if anchor.isEmpty { anchor = start }
          start = min(first, weekend.day(for: first)).description
        }
      }
      switch rule["endMode"]?.cell {
      case "after_n_occurrences": words.append("\(rule["endOccurrences"]?.cell ?? "") times")
      case "on_date":
        // The import refuses an end that is no day.
        let text = rule["endDate"]?.cell ?? ""
        end = DateText.reading(text, order: nil).readings.first?.advanced(by: 1).description ?? text
      default: break
      }
      self.rule = words.joined(separator: " ")
    }

    private static let weekdays = [
      "MO": "monday", "TU": "tuesday", "WE": "wednesday", "TH": "thursday", "FR": "friday", "SA": "saturday",
      "SU": "sunday",
    ]
    private static let weeks = [1: "first", 2: "second", 3: "third", 4: "fourth", -1: "last"]

    /// The days of a month as words of a rule. An unsupported pattern is passed on unchanged, so that the import
    /// refuses it.
    private mutating func days(_ patterns: [JSONValue]) -> [String] {
      let read = patterns.map { pattern -> (type: String, value: Int) in
        guard case .object(let object) = pattern else { return ("", 0) }
        return (object["type"]?.cell ?? "", object["value"]?.whole ?? 0)
      }
      guard read.allSatisfy({ $0.type == "day" }) else {
        return read.map {
          "\(Self.weeks[$0.value] ?? "\($0.value)th") \(Self.weekdays[$0.type] ?? $0.type)"
        }
      }
      let days = Set(read.map { $0.value == -1 ? 31 : $0.value }).sorted()
      guard days.count == 1, let day = days.first, (29...30).contains(day), let start = CivilDay(start) else {
        return days.isEmpty ? [] : ["days " + days.map(String.init).joined(separator: "+")]
      }
      // A rule has no days 29 and 30; the anchor carries them instead: one of three months from the start on has such a
      // day.
      let anchors = (0...2).map { start.month.lowerBound.advanced(by: CalendarSpan($0, .month)).advanced(by: day - 1) }
      anchor = anchors.first { $0 >= start && $0.components.day == day }?.description ?? ""
      self.start = anchor
      return []
    }
  }
}
