import TextFolding

/// What names of foods have in common that are one food: the text without case, diacritics and differences of white space.
package enum FoodName {
  /// The folded text of a name, in UTF-8. Letters are lower-case and without marks, “ß” is “ss”; white space is trimmed, and one space
  /// each; typographic quotes and dashes are the plain ones. Of a name that has nothing else it is the name itself, so that it is
  /// empty only for an empty one.
  package static func folded(_ name: String) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(name.utf8.count)
    var hasSpace = false
    for scalar in name.unicodeScalars {
      if scalar.value < 0x80 ? isSpace(UInt8(scalar.value)) : scalar.properties.isWhitespace {
        hasSpace = !text.isEmpty
        continue
      }
      let before = text.count
      append(scalar, to: &text)
      guard hasSpace, text.count > before else { continue }
      text.insert(space, at: before)
      hasSpace = false
    }
    return text.isEmpty ? Array(name.utf8) : text
  }

  static let space = UInt8(ascii: " ")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == space || (9...13).contains(byte) }

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    let value = scalar.value
    if value < 0x80 {
      let byte = UInt8(value)
      text.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    } else if isIgnored(value) || appendPlain(of: value, to: &text) {
      return
    } else {
      // Capital letters of other scripts, which may have marks themselves.
      for lower in scalar.properties.lowercaseMapping.unicodeScalars
      where !isIgnored(lower.value) && !appendPlain(of: lower.value, to: &text) {
        text.append(contentsOf: UTF8.encode(FoodNameTables.unmarked(lower)) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  /// Appends the plain text of a Latin letter or a typographic sign, if it is one.
  private static func appendPlain(of value: UInt32, to text: inout [UInt8]) -> Bool {
    if LatinLetters.appendPlain(of: value, to: &text) { return true }
    guard let sign = FoodNameTables.plainSign(value) else { return false }
    text.append(sign)
    return true
  }

  /// Marks that combine with the letter before them, and what has no width.
  private static func isIgnored(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
    case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF: true
    default: false
    }
  }
}
