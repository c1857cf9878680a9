/// The cells that text occupies on a terminal: wide characters and emoji two, combining marks none.
package enum Cells {
  /// The cells of a text.
  package static func width(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + width(of: $1) }
  }

  /// Cuts a text to at most `width` cells; what is left of a cut one ends with `mark`.
  package static func cut(_ text: String, to width: Int, mark: String = "…") -> String {
    guard self.width(of: text) > width else { return text }
    let room = width - self.width(of: mark)
    guard room >= 0 else { return String(mark.prefix(max(0, width))) }
    var taken = 0
    let kept = text.prefix { character in
      taken += self.width(of: character)
      return taken <= room
    }
    return kept + mark
  }

  /// A text in lines of at most `width` cells, broken between its words; a word that is wider than a line is broken too.
  ///
  /// - Parameters:
  ///   - indent: The spaces before the first line.
  ///   - hanging: The spaces before the others.
  package static func wrap(_ text: some StringProtocol, to width: Int, indent: Int = 0, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var (start, used) = (indent, indent)
    func end() {
      lines.append(line)
      line = String(repeating: " ", count: hanging)
      (start, used) = (hanging, hanging)
    }
    for word in text.split(separator: " ") {
      let cells = self.width(of: word)
      if used > start, used + 1 + cells > width { end() }
      if used > start {
        line += " "
        used += 1
      }
      for character in word {
        let cells = self.width(of: character)
        if used > start, used + cells > width { end() }
        line.append(character)
        used += cells
      }
    }
    return lines + [line]
  }

  /// The cells of what a person sees as one character.
  static func width(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.dropFirst().isEmpty { return width(of: first) }
    let isEmoji = first.properties.isEmoji && scalars.contains { showsAsEmoji($0) }
    return isEmoji ? 2 : scalars.reduce(0) { $0 + width(of: $1) }
  }

  /// Whether a scalar makes its sequence an emoji: one itself, a variation selector, or a keycap.
  private static func showsAsEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0xFE0F || scalar.value == 0x20E3 || scalar.properties.isEmojiPresentation
  }

  private static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    if isWide(value) || scalar.properties.isEmojiPresentation { return 2 }
    // Vowels and final consonants join the first one of a Hangul syllable.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// Whether East Asian Width (Unicode Standard Annex 11) is wide or full.
  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0.contains(value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376, 0x1F200...0x1F265, 0x20000...0x3FFFD,
  ]
}
