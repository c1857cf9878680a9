import CivilTime
import TextFolding

/// A word of an entry, or a quoted part.
struct EntryWord: Equatable, Sendable {
  /// Without quotes, and without `,`, `;` and `:` at its end.
  var text: String
  var isName = false
  /// Whether a `:` ended it.
  var hasColon = false

  /// The word in lower case; empty for a name, which is none of ours.
  var lowercased: String { isName ? "" : text.lowercased() }

  private static let closers: [Character: Set<Character>] = [
    "\"": ["\""], "“": ["”"], "„": ["“", "”"], "«": ["»"],
  ]

  /// The words of a text.
  ///
  /// - Throws: For a quoted part that is empty or not closed.
  static func words(of text: String) throws(EntryProblem) -> [EntryWord] {
    var words: [EntryWord] = []
    var rest = text[...].drop(while: \.isWhitespace)
    while let first = rest.first {
      if let closers = closers[first] {
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(where: closers.contains) else {
          throw EntryProblem("the quoted part is not closed", hint: "end it with the other quotation mark")
        }
        let name = inside[..<end].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !name.isEmpty else { throw EntryProblem("the quoted part is empty", hint: "quote a name") }
        rest = inside[inside.index(after: end)...]
        let trail = rest.prefix { ",;:".contains($0) }
        words.append(EntryWord(text: name, isName: true, hasColon: trail.contains(":")))
        rest = rest.dropFirst(trail.count)
      } else {
        let word = rest.prefix { !$0.isWhitespace }
        rest = rest.dropFirst(word.count)
        var end = word
        var hasColon = false
        while let last = end.last, ",;:".contains(last) {
          hasColon = hasColon || last == ":"
          end.removeLast()
        }
        if !end.isEmpty { words.append(EntryWord(text: String(end), hasColon: hasColon)) }
      }
      rest = rest.drop(while: \.isWhitespace)
    }
    return words
  }

  /// A day that the word names as seen from `today`; nil when it has not the form of one.
  ///
  /// - Parameter admitsWeekday: Whether the name of a weekday is a day here.
  /// - Throws: For a day that does not exist.
  func day(_ today: CivilDay, admitsWeekday: Bool) throws(EntryProblem) -> CivilDay? {
    let word = lowercased
    switch word {
    case "today": return today
    case "yesterday": return today.advanced(by: -1)
    case "tomorrow": return today.advanced(by: 1)
    default: break
    }
    if admitsWeekday, let weekday = EntryKeyword.weekdays.firstIndex(of: word) {
      return today.advanced(by: -((today.weekdayIndex - weekday + 7) % 7))
    }
    let form = word.utf8.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) ? UInt8(ascii: "0") : $0 }
    if form.first == UInt8(ascii: "-"), form.count > 1, form.dropFirst().allSatisfy({ $0 == UInt8(ascii: "0") }) {
      guard let ago = Int(word.dropFirst()), (1...31).contains(ago) else {
        throw EntryProblem("“\(text)” is not a day", hint: "days ago are -1 to -31; older days are YYYY-MM-DD")
      }
      return today.advanced(by: -ago)
    }
    guard form.elementsEqual("0000-00-00".utf8) else { return nil }
    guard let day = CivilDay(word), CivilDay.allowed.contains(day) else {
      throw EntryProblem("there is no day “\(text)”", hint: "a day is YYYY-MM-DD, such as \(today)")
    }
    return day
  }

  /// A time of day at the start of some words, and how many words it takes; nil when they have not the form of one.
  ///
  /// - Throws: For a time that does not exist.
  static func time(_ words: ArraySlice<EntryWord>) throws(EntryProblem) -> (time: WallTime, count: Int)? {
    guard let first = words.first else { return nil }
    var text = first.lowercased[...]
    let hasSign = text.first == "@"
    if hasSign { text = text.dropFirst() }
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == ":" }
    guard digits.first != ":", !digits.isEmpty else { return nil }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    var half = text.dropFirst(digits.count)
    var count = 1
    if half.isEmpty, let next = words.dropFirst().first?.lowercased, next == "am" || next == "pm" {
      half = next[...]
      count = 2
    }
    guard half == "am" || half == "pm" || half.isEmpty && (hasSign || parts.count == 2) else { return nil }
    guard parts.count <= 2, let hour = Int(parts[0]), parts[0].count <= 2, half.isEmpty || (1...12).contains(hour),
      !half.isEmpty || parts.count == 2, parts.count == 1 || parts[1].count == 2,
      let time = WallTime(
        hour: half.isEmpty ? hour : hour % 12 + (half == "pm" ? 12 : 0),
        minute: parts.count == 1 ? 0 : Int(parts[1]) ?? 60)
    else { throw EntryProblem("“\(first.text)” is not a time", hint: "a time is 08:30, 8am or 7:30pm") }
    return (time, count)
  }

  /// Refuses a day or a time in digits other than 0 to 9, which would be read as a name.
  static func refuseOtherDigits(_ words: ArraySlice<EntryWord>, _ today: CivilDay) throws(EntryProblem) {
    guard let first = words.first, !first.isName,
      !first.text.utf8.allSatisfy({ $0 < 0x80 })
    else { return }
    var plain = first
    plain.text = ""
    for scalar in first.text.unicodeScalars {
      let digit = scalar.properties.generalCategory == .decimalNumber ? scalar.properties.numericValue : nil
      plain.text += digit.map { "\(Int($0))" } ?? String(scalar)
    }
    guard plain.text != first.text else { return }
    var hasForm = true
    do throws(EntryProblem) {
      let (day, time) = (
        try plain.day(today, admitsWeekday: false), try time([plain] + words.dropFirst())
      )
      hasForm = day != nil || time != nil
    } catch {}
    guard hasForm else { return }
    throw EntryProblem("“\(first.text)” has other digits than 0 to 9", hint: "write \(plain.text)")
  }
}
