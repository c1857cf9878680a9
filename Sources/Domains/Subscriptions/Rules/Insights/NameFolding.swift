import TextFolding

package enum NameFolding {
  /// The letters and digits of a name in lower case without accents: `Disney +` becomes `disney`, `Café Nº 1` becomes
  /// `cafeno1`.
  package static func fold(_ name: String) -> String {
    var folded: [UInt8] = []
    for scalar in name.unicodeScalars {
      // Fast path.
      if scalar.isASCII {
        switch scalar {
        case "a"..."z", "0"..."9": folded.append(UInt8(ascii: scalar))
        case "A"..."Z": folded.append(UInt8(ascii: scalar) | 0x20)
        default: continue
        }
        continue
      }
      // Combining accents are dropped with the signs.
      guard isAlphanumeric(scalar) else { continue }
      for small in scalar.properties.lowercaseMapping.unicodeScalars { append(small, to: &folded) }
    }
    return folded.isEmpty ? name.filter { !$0.isWhitespace }.lowercased() : String(decoding: folded, as: UTF8.self)
  }

  /// Words that name a plan rather than the service.
  private static let planWords: Set = [
    "premium", "pro", "plus", "basic", "standard", "family", "individual", "student", "duo", "plan", "subscription",
    "monthly", "yearly", "annual", "abo", "kids", "lite", "team", "teams", "business", "personal", "unlimited",
    "ultimate",
  ]

  /// Domain endings that people write after a name.
  private static let siteEndings: Set = [
    "com", "net", "org", "io", "app", "tv", "ai", "co", "me", "so", "eu", "de", "fr", "es", "it", "nl", "uk", "us",
  ]

  /// The folded name without plan words and domain ending: `Netflix Premium`, `Netflix Kids` and `www.netflix.com`
  /// become `netflix`.
  package static func foldService(_ name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).map { fold(withoutEnding(String($0))) }
    let telling = words.filter { !planWords.contains($0) }.joined()
    return telling.isEmpty ? fold(name) : telling
  }

  private static func withoutEnding(_ word: String) -> String {
    var parts = word.split(separator: ".").map(String.init)
    guard parts.count > 1 else { return word }
    if parts.count > 2, parts[0].lowercased() == "www" { parts.removeFirst() }
    while parts.count > 1, let last = parts.last, siteEndings.contains(last.lowercased()) { parts.removeLast() }
    return parts.joined(separator: ".")
  }

  /// Appends a lower-case letter, without its accent if it is common in European languages.
  private static func append(_ small: Unicode.Scalar, to text: inout [UInt8]) {
    switch small.value {
    case 0xAA: text.append(UInt8(ascii: "a"))
    case 0xBA: text.append(UInt8(ascii: "o"))
    case 0x133: text += [UInt8(ascii: "i"), UInt8(ascii: "j")]
    case 0x138: text.append(UInt8(ascii: "k"))
    case 0x149: text.append(UInt8(ascii: "n"))
    // Other letters, such as Vietnamese ones, keep their accents.
    case ..<0x180 where LatinLetters.appendPlain(of: small.value, to: &text): return
    default:
      guard isAlphanumeric(small) else { return }
      text += UTF8.encode(small) ?? UTF8.encodedReplacementCharacter
    }
  }

  private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
