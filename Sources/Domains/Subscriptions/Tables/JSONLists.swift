import DaybookProtocol
import JSON
import Tables

/// Lists of JSON objects, put into the form of the tables that stand for them: a column for each member, a row for each object.
enum JSONLists {
  /// The table; nil for a text that is no JSON list of objects.
  static func table(_ bytes: [UInt8]) -> [UInt8]? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    guard let first = text.first(where: { $0 > 0x20 }), first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
      let value = try? JSONValue(json: text, strict: false), let objects = objects(value), let sample = objects.first
    else { return nil }
    if ActualSchedule.isOne(sample) { return table(ActualSchedule.headers, objects.map { ActualSchedule.row($0) }) }
    if sample["next_payment"] != nil, sample["cycle"] != nil {
      return table(WallosAnswer.headers, objects.map { WallosAnswer.row($0) })
    }
    var headers: [String] = []
    for object in objects {
      for member in object.members where !headers.contains(member.name) { headers.append(member.name) }
    }
    return table(headers, objects.map { object in headers.map { object[$0]?.cell ?? "" } })
  }

  /// The objects of a list, or of one that stands in an object under a usual name.
  private static func objects(_ value: JSONValue) -> [JSONObject]? {
    var list = value
    if case .object(let object) = value {
      guard let inner = ["subscriptions", "schedules", "data"].lazy.compactMap({ object[$0] }).first else { return nil }
      list = inner
    }
    guard case .array(let items) = list else { return nil }
    let objects = items.compactMap { item -> JSONObject? in
      if case .object(let object) = item { object } else { nil }
    }
    return objects.count == items.count ? objects : nil
  }

  private static func table(_ headers: [String], _ rows: [[String]]) -> [UInt8] {
    var writer = TableWriter()
    for row in [headers] + rows {
      for cell in row { writer.plain(cell) }
      writer.endRow()
    }
    return writer.take()
  }
}

extension JSONValue {
  /// Its text as a cell has it; empty for what is no text, number or truth value.
  var cell: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.lexeme
    case .bool(let flag): flag ? "true" : "false"
    default: ""
    }
  }

  /// The number, if it is a whole one, or a text of one.
  var whole: Int? {
    switch self {
    case .number(let number): number.integer
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// Whether it says yes: true, or a number other than 0.
  var isTrue: Bool { self == .bool(true) || (whole ?? 0) != 0 }
}

/// A subscription as Wallos' programming interface tells it (`api/subscriptions/get_subscriptions.php` of the project): cycles
/// are numbered, and currencies are ids that only that Wallos knows.
private enum WallosAnswer {
  static let headers = [
    "Name", "Payment Cycle", "Next Payment", "Category", "Payment Method", "Paid By", "Price", "Notes", "URL", "State",
    "Cancellation Date", "Start Date",
  ]

  private static let units = [1: "day", 2: "week", 3: "month", 4: "year"]

  static func row(_ object: JSONObject) -> [String] {
    func cell(_ name: String) -> String { object[name]?.cell ?? "" }
    let unit = object["cycle"]?.whole.flatMap { units[$0] } ?? cell("cycle")
    return [
      cell("name"), "every \(object["frequency"]?.whole ?? 1) \(unit)", cell("next_payment"), cell("category_name"),
      cell("payment_method_name"), cell("payer_user_name"), cell("price"), cell("notes"), cell("url"),
      object["inactive"]?.isTrue == true ? "Disabled" : "Enabled", cell("cancellation_date"), cell("start_date"),
    ]
  }
}
