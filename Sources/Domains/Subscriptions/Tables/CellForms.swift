import DaybookProtocol
import Subscriptions
import Tables

extension TagsText {
  /// What others write: parted by commas or semicolons.
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

/// A share as one cell: `1 of 3`, which no spreadsheet takes for a day.
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

  /// Takes the words of a share: `1 of 3`.
  static func share(_ words: inout ListWords) -> PayerShare? {
    guard let numerator = words.next().flatMap({ Int($0) }), words.take("of"),
      let denominator = words.next().flatMap({ Int($0) })
    else { return nil }
    return PayerShare(numerator, of: denominator)
  }
}

/// What others of a household pay as one cell: `1 of 3 Anna; 1 of 3 Ben`.
enum HouseholdText {
  static let allowed = "such as 1 of 3 Anna; 1 of 3 Ben"

  static func text(_ parts: [HouseholdPart]) -> String {
    TagsText.text(parts.map { "\($0.numerator) of \($0.denominator) \($0.name)" })
  }

  /// What was written so; nil where a part cannot be read.
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

/// A length of time as one cell: `3 months`.
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

/// Days to remind on as one cell: `1; 3`, `never`, or nothing for what the settings say.
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
