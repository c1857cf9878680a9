/// Cutting lines into words, without the tables of Unicode.
enum Words {
  /// The text without spaces and tabs around it.
  static func trimmed(_ text: some StringProtocol) -> String {
    /// Whether a character is a space or a tab.
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return String(rest)
  }

  /// The parts between spaces and tabs.
  static func split(_ text: some StringProtocol) -> [String] {
    text.split { $0 == " " || $0 == "\t" }.map { String($0) }
  }

  /// The first word, and what follows the one space after it.
  static func cut(_ text: some StringProtocol) -> (word: String, rest: String) {
    let word = text.prefix { $0 != " " }
    return (String(word), String(text.dropFirst(word.count + 1)))
  }

  /// The text with every `target` replaced.
  static func replacing(_ target: String, in text: String, by replacement: String) -> String {
    let (source, wanted) = (Array(text.utf8), Array(target.utf8))
    guard !wanted.isEmpty, source.count >= wanted.count else { return text }
    var result: [UInt8] = []
    var at = 0
    while at < source.count {
      if source[at] == wanted[0], source[at...].starts(with: wanted) {
        result += replacement.utf8
        at += wanted.count
      } else {
        result.append(source[at])
        at += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a text stands in some bytes.
  static func contains(_ text: String, in bytes: [UInt8]) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    guard bytes.count >= wanted.count else { return false }
    return (0...(bytes.count - wanted.count)).contains { bytes[$0] == first && bytes[$0...].starts(with: wanted) }
  }
}
