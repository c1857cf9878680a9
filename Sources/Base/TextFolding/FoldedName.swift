/// Folds names that people type: those that differ only in case, diacritics, white space or typography are one.
package enum FoldedName {
  /// The folded name, in UTF-8. Letters become lower-case without marks, “ß” becomes “ss”, white space is trimmed and collapsed,
  /// and typographic quotes and dashes become plain. A name of which nothing is left stays unchanged.
  ///
  /// Ids of stored favourites are derived from it: it must never change.
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

  /// What separates the words of a folded name.
  package static let space = UInt8(ascii: " ")

  private static func isSpace(_ byte: UInt8) -> Bool { byte == space || (9...13).contains(byte) }

  private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
    let value = scalar.value
    if value < 0x80 {
      let byte = UInt8(value)
      text.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
    } else if isIgnored(value) || appendPlain(of: value, to: &text) {
      return
    } else {
      // Capital letters of other scripts, which may have marks.
      for lower in scalar.properties.lowercaseMapping.unicodeScalars
      where !isIgnored(lower.value) && !appendPlain(of: lower.value, to: &text) {
        text.append(contentsOf: UTF8.encode(FoldedNameTables.unmarked(lower)) ?? UTF8.encodedReplacementCharacter)
      }
    }
  }

  /// Appends the plain text of a Latin letter or a typographic sign, if it is one.
  private static func appendPlain(of value: UInt32, to text: inout [UInt8]) -> Bool {
    if LatinLetters.appendPlain(of: value, to: &text) { return true }
    guard let sign = FoldedNameTables.plainSign(value) else { return false }
    text.append(sign)
    return true
  }

  /// Combining marks and zero-width characters.
  private static func isIgnored(_ value: UInt32) -> Bool {
    switch value {
    case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F: true
    case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF: true
    default: false
    }
  }
}

/// Equivalent characters in names, other than Latin letters.
enum FoldedNameTables {
  /// The plain form of a typographic quote or dash; nil for others.
  static func plainSign(_ value: UInt32) -> UInt8? {
    switch value {
    case 0x2018...0x201B, 0x2032, 0xB4: UInt8(ascii: "'")
    case 0x201C...0x201F, 0x2033, 0xAB, 0xBB: UInt8(ascii: "\"")
    case 0x2010...0x2015, 0x2212: UInt8(ascii: "-")
    default: nil
    }
  }

  /// A lower-case letter without its mark.
  static func unmarked(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    marked.firstIndex(of: scalar).map { unmarked[$0] } ?? scalar
  }

  /// Greek and Cyrillic lower-case letters with a mark, the final sigma, and the prosgegrammeni.
  private static let marked = Array("άέήίόύώϊϋΐΰς\u{1FBE}йѐёѓїќѝўӂӑӓӗӝӟӣӥӧӭӯӱӳӵӹ".unicodeScalars)
  /// The same letters without marks.
  private static let unmarked = Array("αεηιουωιυιυσιиеегікиужааежзииоэууучы".unicodeScalars)
}
