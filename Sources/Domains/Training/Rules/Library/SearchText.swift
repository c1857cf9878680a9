import TextFolding

/// Text as it is compared in a search.
package enum SearchText {
  /// The words of a text: letters and digits without case and marks. All else separates words, but for an apostrophe.
  package static func words(_ text: String) -> [[Unicode.Scalar]] {
    var words: [[Unicode.Scalar]] = [[]]
    var plain: [UInt8] = []
    for scalar in text.unicodeScalars where !isIgnored(scalar.value) {
      plain.removeAll(keepingCapacity: true)
      if scalar.value < 0x80
        ? isWordByte(scalar.value) : scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      {
        if scalar.value >= 0x80, LatinLetters.appendPlain(of: scalar.value, to: &plain) {
          words[words.count - 1] += plain.map { Unicode.Scalar($0) }
        } else {
          words[words.count - 1] += scalar.properties.lowercaseMapping.unicodeScalars
        }
      } else if words.last?.isEmpty == false {
        words.append([])
      }
    }
    return words.filter { !$0.isEmpty }
  }

  /// The words of a text behind one another; of a text without words the text itself.
  package static func folded(_ text: String) -> String {
    let words = words(text)
    guard !words.isEmpty else { return text.lowercased() }
    var folded = String.UnicodeScalarView()
    for (place, word) in words.enumerated() {
      if place > 0 { folded.append(" ") }
      folded.append(contentsOf: word)
    }
    return String(folded)
  }

  private static func isWordByte(_ value: UInt32) -> Bool {
    (0x30...0x39).contains(value) || (0x41...0x5A).contains(value) || (0x61...0x7A).contains(value)
  }

  /// Apostrophes, and marks that combine with the letter before them.
  private static func isIgnored(_ value: UInt32) -> Bool {
    value == 0x27 || value == 0x2019 || (0x0300...0x036F).contains(value)
  }
}
