import DaybookProtocol
import Subscriptions
import Tables

extension TagsText {
  /// Tags separated by commas, semicolons or bars, as other programs write them.
  static func foreignTags(_ text: String) -> [String] {
    text.split { $0 == "," || $0 == ";" || $0 == "|" }.map { String($0).trimmedTag }.filter { !$0.isEmpty }
  }
}

extension String {
  fileprivate var trimmedTag: String {
    var rest = self[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

/// A share as one cell: `1 of 3`, which no spreadsheet mistakes for a date.
enum ShareText {
  static func text(_ share: PayerShare) -> String {
    share == .whole ? "" : "\(share.numerator) of \(share.denominator)"
  }

  /// `1 of 3`, `1/3`, `50%`.
  static func share(_ text: String) -> PayerShare? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    var words = ListWords(parts.joined(separator: " of ")[...])
    if let share = share(&words) { return words.isAtEnd ? share : nil }
    guard text.last == "%", let percent = Int(text.dropLast()) else { return nil }
    return PayerShare(percent, of: 100)
  }

  /// Takes a share from the words of a list item: `1 of 3`.
  static func share(_ words: inout ListWords) -> PayerShare? {
    guard let numerator = words.next().flatMap({ Int($0) }), words.consume("of"),
      let denominator = words.next().flatMap({ Int($0) })
    else { return nil }
    return PayerShare(numerator, of: denominator)
  }
}

/// The parts that other members of a household pay, as one cell: `1 of 3 Anna; 1 of 3 Ben`.
enum HouseholdText {
  static let allowed = "such as 1 of 3 Anna; 1 of 3 Ben"

  static func text(_ parts: [HouseholdPart]) -> String {
    TagsText.text(parts.map { "\($0.numerator) of \($0.denominator) \($0.name)" })
  }

  /// The parts in a cell; nil when one cannot be read.
  static func parts(_ text: String) -> [HouseholdPart]? {
    let items = TagsText.tags(text)
    let parts = items.compactMap { item -> HouseholdPart? in
      let words = item.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard words.count == 4, words[1] == "of", let numerator = Int(words[0]), let denominator = Int(words[2]),
        PayerShare(numerator, of: denominator) != nil
      else { return nil }
      return HouseholdPart(name: String(words[3]), numerator: numerator, denominator: denominator)
    }
    return parts.count == items.count ? parts : nil
  }
}

/// A calendar span as one cell: `3 months`.
enum SpanText {
  static func text(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }

  static func span(_ text: String) -> (count: Int, unit: CycleUnit)? {
    let parts = text.lowercased().split(separator: " ")
    guard parts.count == 2, let count = Int(parts[0]), CalendarSpan.allowedCounts.contains(count),
      let unit = CycleUnit.known.first(where: { parts[1] == $0.rawValue || parts[1] == "\($0.rawValue)s" })
    else { return nil }
    return (count, unit)
  }
}

/// Reminder lead days as one cell: `1; 3`, `never`, or empty for the default of the settings.
enum ReminderDaysText {
  static func text(_ days: [Int]?) -> String {
    guard let days else { return "" }
    return days.isEmpty ? "never" : days.map(String.init).joined(separator: "; ")
  }

  static func days(_ text: String) -> [Int]? {
    if text.lowercased() == "never" { return [] }
    let parts = text.split { $0 == " " || $0 == ";" || $0 == "," }
    let days = parts.compactMap { Int($0) }
    return days.count == parts.count && !days.isEmpty ? days : nil
  }
}

/// Marks of single charges as one cell: `2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved
/// to 2026-04-02`.
enum ChargesText {
  static let allowed =
    "such as 2026-01-31 paid on 2026-01-30 with 12.00, 2026-02-28 skipped, 2026-03-31 moved to 2026-04-02"

  static func text(_ marks: [ChargeMark]) -> String { marks.filter(\.isMeaningful).map(text).joined(separator: ", ") }

  private static func text(_ mark: ChargeMark) -> String {
    let kind = mark.kind == .skipped ? " skipped" : mark.shiftedTo.map { " moved to \($0)" } ?? ""
    let payment = mark.paidOn.map {
      " paid on \($0)\(mark.paidAmount.map { " with \($0)\(mark.paidCurrency.map { " \($0)" } ?? "")" } ?? "")"
    }
    return "\(mark.occurrence)\(kind)\(payment ?? "")"
  }

  /// The marks in a cell; an item that says nothing about its charge is refused.
  static func marks(_ text: String) throws(ListText.Fault) -> [ChargeMark] {
    try ListText.items(text, limit: SubscriptionLimits.marks) { _, words -> ChargeMark? in
      guard let occurrence = words.day() else { return nil }
      var mark = ChargeMark(occurrence: occurrence, kind: .kept)
      if words.consume("skipped") {
        mark.kind = .skipped
      } else if words.consume("moved", "to") {
        guard let day = words.day() else { return nil }
        (mark.kind, mark.shiftedTo) = (.shifted, day)
      }
      if words.consume("paid", "on") {
        guard let day = words.day() else { return nil }
        mark.paidOn = day
        if words.consume("with") {
          guard let amount = words.next().flatMap({ Decimal($0) }) else { return nil }
          mark.paidAmount = amount
          mark.paidCurrency = words.currency()?.code
        }
      }
      return mark.isMeaningful ? mark : nil
    }
  }
}
