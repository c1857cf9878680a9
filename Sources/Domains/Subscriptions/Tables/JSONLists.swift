import DaybookProtocol
import Tables

/// Converts JSON lists of objects to tables: a column for each member, a row for each object.
enum JSONLists {
  /// The table as CSV; nil for anything but a JSON list of objects.
  static func table(_ decoded: DecodedText) -> [UInt8]? {
    let text = decoded.utf8
    guard decoded.isWhole(to: text.count), let first = text.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
      let value = try? JSONValue(json: text, strict: false), let objects = objects(value), let sample = objects.first
    else { return nil }
    if ActualSchedule.matches(sample) { return table(ActualSchedule.headers, objects.map { ActualSchedule.row($0) }) }
    if sample["next_payment"] != nil, sample["cycle"] != nil {
      let currencies = WallosAnswer.currencies(value)
      return table(WallosAnswer.headers, objects.map { WallosAnswer.row($0, currencies) })
    }
    var headers: [String] = []
    for object in objects {
      for member in object.members where !headers.contains(member.name) { headers.append(member.name) }
    }
    return table(headers, objects.map { object in headers.map { object[$0]?.cell ?? "" } })
  }

  /// The objects of a list, which may be a member of an object under a usual name.
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
  /// The value as the text of a cell; empty for null, arrays and objects.
  var cell: String {
    switch self {
    case .string(let text): text
    case .number(let number): number.lexeme
    case .bool(let flag): flag ? "true" : "false"
    default: ""
    }
  }

  /// The value as a whole number, which may be in a string.
  var whole: Int? {
    switch self {
    case .number(let number): number.integer
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// True, or a number other than 0.
  var isTrue: Bool { self == .bool(true) || (whole ?? 0) != 0 }
}

/// A subscription from Wallos' API (`api/subscriptions/get_subscriptions.php`): cycles are numbers, and currencies are
/// ids local to that installation.
private enum WallosAnswer {
  static let headers = [
    "Name", "Payment Cycle", "Next Payment", "Category", "Payment Method", "Paid By", "Price", "Notes", "URL", "State",
    "Cancellation Date", "Start Date", "Currency", "Currency Id",
  ]

  private static let units = [1: "day", 2: "week", 3: "month", 4: "year"]

  /// The codes by id of the answer of `api/currencies/get_currencies.php`, if it stands beside the subscriptions.
  static func currencies(_ value: JSONValue) -> [String: String] {
    guard case .object(let answer) = value, case .array(let items) = answer["currencies"] else { return [:] }
    var codes: [String: String] = [:]
    for case .object(let item) in items {
      if let id = item["id"]?.cell, let code = item["code"]?.cell { codes[id] = code }
    }
    return codes
  }

  static func row(_ object: JSONObject, _ currencies: [String: String]) -> [String] {
    func cell(_ name: String) -> String { object[name]?.cell ?? "" }
    let unit = object["cycle"]?.whole.flatMap { units[$0] } ?? cell("cycle")
    return [
      cell("name"), "every \(object["frequency"]?.whole ?? 1) \(unit)", cell("next_payment"), cell("category_name"),
      cell("payment_method_name"), cell("payer_user_name"), cell("price"), cell("notes"), cell("url"),
      object["inactive"]?.isTrue == true ? "Disabled" : "Enabled", cell("cancellation_date"), cell("start_date"),
      ["currency", "currency_code"].lazy.map(cell).first { !$0.isEmpty } ?? currencies[cell("currency_id")] ?? "",
      cell("currency_id"),
    ]
  }
}
