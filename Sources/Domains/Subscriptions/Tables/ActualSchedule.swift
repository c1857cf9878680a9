import CivilTime
import DaybookProtocol
import JSON
import Subscriptions
import Values

/// A schedule as Actual has it: `getSchedules` of its programming interface (`@actual-app/api`), or a query of its table, whose
/// members have an underscore in front. Amounts are whole cents, negative for what is paid.
enum ActualSchedule {
  static let headers = [
    "Schedule", "Amount", "Least", "Most", "Cycle", "Rule", "Start", "Anchor", "Next Charge", "End", "State",
  ]

  static func isOne(_ object: JSONObject) -> Bool {
    member("amountOp", object) != nil && member("date", object) != nil
  }

  /// The row of a schedule; an empty one, which is passed over, for what is earned or was deleted.
  static func row(_ object: JSONObject) -> [String] {
    let amounts = amounts(object)
    guard object["tombstone"]?.isTrue != true, amounts.last.map({ $0 <= 0 }) ?? true else {
      return headers.map { _ in "" }
    }
    // What is no amount is refused where it stands; what is between two counts as the middle of them, as it does there.
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

  /// The amount, or the two it is between, ascending.
  private static func amounts(_ object: JSONObject) -> [Int] {
    var bounds = [member("amount", object)]
    if case .object(let range) = bounds[0] { bounds = [range["num1"], range["num2"]] }
    let amounts = bounds.compactMap { $0?.whole }.filter { $0.magnitude < mostCents }.sorted()
    return amounts.count == bounds.count ? amounts : []
  }

  /// No amount is that large, and sums of such are numbers yet.
  private static let mostCents: UInt = 1 << 60

  private static func cents(_ amount: Int) -> String {
    Decimal(significand: Int64(amount), scale: 2)?.description ?? ""
  }

  /// What the recurrence of a schedule comes to.
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
        // The first may come before the day that all are counted from.
        if let first = CivilDay(start) {
          if anchor.isEmpty { anchor = start }
          start = min(first, weekend.day(for: first)).description
        }
      }
      switch rule["endMode"]?.cell {
      case "after_n_occurrences": words.append("\(rule["endOccurrences"]?.cell ?? "") times")
      case "on_date": end = CivilDay(rule["endDate"]?.cell ?? "")?.advanced(by: 1).description ?? ""
      default: break
      }
      self.rule = words.joined(separator: " ")
    }

    private static let weekdays = [
      "MO": "monday", "TU": "tuesday", "WE": "wednesday", "TH": "thursday", "FR": "friday", "SA": "saturday",
      "SU": "sunday",
    ]
    private static let weeks = [1: "first", 2: "second", 3: "third", 4: "fourth", -1: "last"]

    /// The days of a month in the words of a rule. What we have no rule for stands there as it is, so that it is refused.
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
      // The anchor tells of such a day: the first from the start on, one of three months has it.
      let anchors = (0...2).map { start.month.lowerBound.advanced(by: CalendarSpan($0, .month)).advanced(by: day - 1) }
      anchor = anchors.first { $0 >= start && $0.components.day == day }?.description ?? ""
      self.start = anchor
      return []
    }
  }
}
