import JSON

/// The text of a message to send, in which remembered values are put.
///
/// Everything else goes out as it was written, down to the spelling of numbers and the members given twice.
package enum SentText {
  /// The text with each string `"$x"` replaced by the value remembered as `x`, and each leading `$$` by one `$`.
  package static func filled(_ text: String, _ bindings: Bindings) -> String {
    let source = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    for token in tokens(source) {
      let content = source[token.lowerBound + 1..<token.upperBound - 1]
      result += source[copied..<token.lowerBound]
      copied = token.upperBound
      if content.starts(with: "$$".utf8) {
        result.append(UInt8(ascii: "\""))
        result += content.dropFirst()
        result.append(UInt8(ascii: "\""))
      } else if let name = name(content), let value = bindings[name] {
        result += value.json
      } else {
        result += source[token]
      }
    }
    return String(decoding: result + source[copied...], as: UTF8.self)
  }

  /// The texts of a repeated send.
  package static func repeated(_ text: String, _ count: Int) -> [String] {
    (0..<count).map { Words.replacing("{{i}}", in: text, by: String($0)) }
  }

  /// The names of the remembered values that a text asks for.
  package static func names(in text: String) -> [String] {
    let source = Array(text.utf8)
    return tokens(source).compactMap { name(source[$0.lowerBound + 1..<$0.upperBound - 1]) }
  }

  /// The name in `$name`, of letters, digits and underscores.
  private static func name(_ content: ArraySlice<UInt8>) -> String? {
    guard content.first == UInt8(ascii: "$") else { return nil }
    let name = String(decoding: content.dropFirst(), as: UTF8.self)
    return Pattern.isName(name) ? name : nil
  }

  /// Where the strings stand, quotes included.
  private static func tokens(_ source: [UInt8]) -> [Range<Int>] {
    var tokens: [Range<Int>] = []
    var at = 0
    while at < source.count {
      guard source[at] == UInt8(ascii: "\"") else {
        at += 1
        continue
      }
      let start = at
      at += 1
      while at < source.count, source[at] != UInt8(ascii: "\"") { at += source[at] == UInt8(ascii: "\\") ? 2 : 1 }
      at += 1
      if at <= source.count { tokens.append(start..<at) }
    }
    return tokens
  }
}
