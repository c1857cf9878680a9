import CivilTime
import TextFolding

/// One line of text that a person typed, with what all kinds of entries share taken out: day, time and kind.
package struct EntryLine: Sendable {
  /// A piece of what is left.
  package enum Part: Equatable, Sendable {
    case word(String)
    /// A name that is not looked into: quoted, or known.
    case name(String)
    case number(EntryNumber)
    case quantity(EntryNumber, EntryUnit)
    /// Weight and repetitions of a set; the unit is nil when none was typed.
    case set(EntryNumber, EntryUnit?, Int)

    /// The text of a word or a name.
    package var text: String? {
      switch self {
      case .word(let text), .name(let text): text
      default: nil
      }
    }

    /// The word in lower case; empty for anything else.
    package var keyword: String { if case .word(let text) = self { text.lowercased() } else { "" } }
  }

  /// The day that it names.
  package private(set) var day: CivilDay?
  /// The time that it names.
  package private(set) var time: WallTime?
  /// The kind that is asked for, or that its first word names.
  package private(set) var kind: String?
  package private(set) var parts: [Part] = []
  /// The line without its day and kind, for hints.
  package private(set) var rest = ""

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - kinds: The words that name kinds.
  ///   - forced: The kind that is asked for; then a word that names a kind is part of a name.
  ///   - isKnown: Whether a folded name is the full name of something that can be logged. Leading words with a number
  ///     in them that are one are not looked into.
  /// - Throws: For a quoted part, a day or a time that is none.
  package init(
    _ text: String, today: CivilDay, kinds: [String], forced: String? = nil, isKnown: ([UInt8]) -> Bool
  ) throws(EntryProblem) {
    var words = try EntryWord.words(of: text)
    kind = forced
    try takeStart(of: &words, today, kinds)
    EntryLine.keepName(in: &words, isKnown)
    for index in words.indices { try EntryWord.refuseOtherDigits(words[index...], today) }
    try takeTime(from: &words)
    if let last = words.last, let found = try last.day(today, admitsWeekday: true) {
      try note(found)
      words.removeLast()
    }
    for word in words {
      if let found = try word.day(today, admitsWeekday: false), !EntryKeyword.days.contains(word.lowercased) {
        throw EntryProblem("the day \(found) is in the middle", hint: "the day is the first or the last word")
      }
    }
    rest = words.map { $0.isName ? "\"\($0.text)\"" : $0.text }.joined(separator: " ")
    parts = EntryLine.parts(of: words)
  }

  /// Takes a day and a kind from the start, in either order.
  private mutating func takeStart(
    of words: inout [EntryWord], _ today: CivilDay, _ kinds: [String]
  ) throws(EntryProblem) {
    while let first = words.first {
      if kind == nil, kinds.contains(first.lowercased) {
        kind = first.lowercased
      } else if day == nil, let found = try first.day(today, admitsWeekday: first.hasColon) {
        day = found
      } else {
        return
      }
      words.removeFirst()
    }
  }

  private mutating func note(_ found: CivilDay) throws(EntryProblem) {
    guard day == nil else { throw EntryProblem("there are two days", hint: "name one day") }
    day = found
  }

  /// Takes the times, which may stand anywhere.
  private mutating func takeTime(from words: inout [EntryWord]) throws(EntryProblem) {
    var index = 0
    while index < words.count {
      guard let (found, count) = try EntryWord.time(words[index...]) else {
        index += 1
        continue
      }
      guard time == nil else { throw EntryProblem("there are two times", hint: "name one time") }
      time = found
      words.removeSubrange(index..<(index + count))
    }
  }

  /// Makes one name of leading words with a number in them that are a known name, the longest first.
  private static func keepName(in words: inout [EntryWord], _ isKnown: ([UInt8]) -> Bool) {
    guard let first = words.firstIndex(where: { $0.text.utf8.contains { (0x30...0x39).contains($0) } }) else { return }
    // A name has at most 200 characters.
    for count in stride(from: min(words.count, 50), through: first + 1, by: -1) {
      let name = words[..<count].map(\.text).joined(separator: " ")
      guard isKnown(FoldedName.folded(name)) else { continue }
      words.replaceSubrange(..<count, with: [EntryWord(text: name, isName: true)])
      return
    }
  }

  // MARK: numbers and units

  private static func parts(of words: [EntryWord]) -> [Part] {
    var parts: [Part] = []
    var index = 0
    while index < words.count {
      let (part, count) = part(at: words[index...])
      parts.append(part)
      index += count
    }
    return parts
  }

  /// The part at the start of some words, and how many it takes.
  private static func part(at words: ArraySlice<EntryWord>) -> (Part, Int) {
    let first = words[words.startIndex]
    if first.isName { return (.name(first.text), 1) }
    if let set = set(in: first.lowercased) { return (set, 1) }
    let next = words.dropFirst().first?.lowercased ?? ""
    if next == "x", let third = words.dropFirst(2).first, let set = set(in: "\(first.lowercased)x\(third.lowercased)") {
      return (set, 3)
    }
    let (digits, letters) = split(first.text)
    guard let number = EntryNumber(digits) else { return (.word(first.text), 1) }
    let unit = letters.isEmpty ? EntryUnit(word: next) : EntryUnit(word: letters, isAttached: true)
    guard let unit else { return letters.isEmpty ? (.number(number), 1) : (.word(first.text), 1) }
    let count = letters.isEmpty ? 2 : 1
    if unit == .g, let nutrient = words.dropFirst(count).first.flatMap({ EntryUnit(nutrient: $0.lowercased) }) {
      return (.quantity(number, nutrient), count + 1)
    }
    return (.quantity(number, unit), count)
  }

  /// A set in a word: `60x8`, `60kgx8`.
  private static func set(in word: String) -> Part? {
    let sides = word.split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let reps = EntryNumber(sides[1]), reps.separator.isEmpty, let count = reps.integer else {
      return nil
    }
    let (digits, letters) = split(String(sides[0]))
    guard let weight = EntryNumber(digits) else { return nil }
    if letters.isEmpty { return .set(weight, nil, count) }
    guard let unit = EntryUnit(word: letters), unit == .kg || unit == .lb else { return nil }
    return .set(weight, unit, count)
  }

  private static func split(_ word: String) -> (digits: Substring, letters: Substring) {
    let digits = word.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
    return (digits, word[digits.endIndex...])
  }
}
