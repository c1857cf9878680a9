/// Names without what people write differently: capitals, accents, spaces, signs.
package enum NameFolding {
  /// The letters and digits of a name, small and without accents: `Disney +` is `disney`, `Café Nº 1` is `cafeno1`.
  package static func fold(_ name: String) -> String {
    var folded = ""
    for scalar in name.unicodeScalars {
      // Most letters need no table.
      if scalar.isASCII {
        switch scalar {
        case "a"..."z", "0"..."9": folded.unicodeScalars.append(scalar)
        case "A"..."Z": folded.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
        default: continue
        }
        continue
      }
      // Accents that stand by themselves go with the signs.
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else { continue }
      for small in scalar.properties.lowercaseMapping.unicodeScalars {
        if let plain = plain(small) {
          folded += plain
        } else if small.properties.isAlphabetic || small.properties.numericType != nil {
          folded.unicodeScalars.append(small)
        }
      }
    }
    return folded.isEmpty ? name.filter { !$0.isWhitespace }.lowercased() : folded
  }

  /// Words that tell the plan, not the service.
  private static let planWords: Set = [
    "premium", "pro", "plus", "basic", "standard", "family", "individual", "student", "duo", "plan", "subscription",
    "monthly", "yearly", "annual", "abo",
  ]

  /// The name without words that only tell its plan, folded: `Netflix Premium` is `netflix`.
  package static func foldService(_ name: String) -> String {
    let words = name.split(whereSeparator: \.isWhitespace).map { fold(String($0)) }
    let telling = words.filter { !planWords.contains($0) }.joined()
    return telling.isEmpty ? fold(name) : telling
  }

  /// The letters U+00E0…U+017F without their accents, `.` for what has no plain letter there.
  private static let plainLetters = Array(
    """
    aaaaaa.ceeeeiiiidnooooo..uuuuy.y\
    aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkkklllllll\
    lllnnnnnnnnnoooooo..rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs
    """)

  private static func plain(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0xDF: return "ss"
    case 0xE6: return "ae"
    case 0xF8: return "o"
    case 0xFE: return "th"
    case 0xAA: return "a"
    case 0xBA: return "o"
    case 0x133: return "ij"
    case 0x153: return "oe"
    case 0xE0...0x17F:
      let index = Int(scalar.value < 0x100 ? scalar.value - 0xE0 : scalar.value - 0x100 + 32)
      guard index < plainLetters.count, plainLetters[index] != "." else { return nil }
      return String(plainLetters[index])
    default: return nil
    }
  }
}
