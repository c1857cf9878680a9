import CivilTime

/// Days and ranges of days as people type them.
package enum DayWords {
  private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

  /// The name of a day's weekday.
  package static func weekday(of day: CivilDay) -> String {
    let name = weekdays[day.weekdayIndex]
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The day that a word names: `today`, `yesterday`, `tomorrow`, `-1`, `+2`, `mon` to `sun` (the latest that is not
  /// later than today), `YYYY-MM-DD`; nil for anything else.
  package static func day(_ word: String, today: CivilDay) -> CivilDay? {
    let word = word.lowercased()
    switch word {
    case "today": return today
    case "yesterday": return today.advanced(by: -1)
    case "tomorrow": return today.advanced(by: 1)
    default: break
    }
    if word.utf8.count >= 3, let weekday = weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
      return today.advanced(by: -((today.weekdayIndex - weekday + 7) % 7))
    }
    let day: CivilDay?
    if word.hasPrefix("-") || word.hasPrefix("+") {
      guard word.utf8.count <= 7, let days = Int(word) else { return nil }
      day = today.advanced(by: days)
    } else {
      day = CivilDay(word)
    }
    return day.flatMap { CivilDay.allowed.contains($0) ? $0 : nil }
  }

  /// Why a text is no range.
  package struct Problem: Error, Equatable, Sendable { package let message: String }

  /// The days that a text names: a day, `DAY..DAY`, `week`, `month` or `year`.
  ///
  /// - Parameters:
  ///   - anchor: The day whose week, month or year it is.
  ///   - week: The week of a day, as the user's begin.
  /// - Throws: Why it names none.
  package static func range(
    _ text: String, today: CivilDay, anchor: CivilDay, week: (CivilDay) -> ClosedRange<CivilDay>
  ) throws(Problem) -> ClosedRange<CivilDay> {
    switch text.lowercased() {
    case "week": return week(anchor)
    case "month": return anchor.month
    case "year": return anchor.year
    default: break
    }
    if let day = day(text, today: today) { return day...day }
    guard let dots = dots(in: text) else {
      throw Problem(message: "“\(text)” is not a day or a range: \(forms)")
    }
    guard let from = day(String(text[..<dots.lowerBound]), today: today),
      let to = day(String(text[dots.upperBound...]), today: today)
    else { throw Problem(message: "“\(text)” is not a range: \(forms)") }
    guard from <= to else { throw Problem(message: "the range \(text) ends before it begins: write \(to)..\(from)") }
    return from...to
  }

  /// Whether a text has the form of a range, and so is no name.
  package static func isRange(_ text: String, today: CivilDay) -> Bool {
    ["week", "month", "year"].contains(text.lowercased()) || day(text, today: today) != nil || dots(in: text) != nil
  }

  /// The command whose page a day or a range names, such as `agenda week`; nil for anything else.
  package static func command(for word: String) -> String? {
    let anyDay = CivilDay(daysSinceEpoch: 0)
    guard isRange(word, today: anyDay) else { return nil }
    if day(word, today: anyDay) != nil { return "day \(word)" }
    return (word.lowercased() == "year" ? "meals " : "agenda ") + word
  }

  private static let forms =
    "use today, yesterday, -1, +2, mon, 2026-01-05, DAY..DAY, week, month or year"

  private static func dots(in text: String) -> Range<String.Index>? {
    var index = text.startIndex
    while index < text.endIndex {
      let next = text.index(after: index)
      if text[index] == ".", next < text.endIndex, text[next] == "." { return index..<text.index(after: next) }
      index = next
    }
    return nil
  }
}
