import DaybookProtocol

/// Protects texts that spreadsheets would run as formulas with a leading apostrophe, which reading removes.
package enum CellText {
  /// Whether a character starts a formula; full-width forms included.
  private static func isTrigger(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠": true
    default: false
    }
  }

  /// Whether spreadsheets ignore a leading character: white space and invisible ones.
  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || (scalar.value >= 0x7F && (scalar.properties.isWhitespace || !scalar.isVisible))
  }

  /// The written form of a text. A text with its own leading apostrophes gets another one, so that it is restored unchanged.
  package static func protected(_ text: String) -> String { isExposed(text) ? "'" + text : text }

  /// The text of a written form.
  package static func restored(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "'") && isExposed(text) ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Whether a text has any number of apostrophes, then ignored characters, then one that starts a formula.
  private static func isExposed(_ text: String) -> Bool {
    var isAfterApostrophes = false
    for scalar in text.unicodeScalars {
      if !isAfterApostrophes, scalar == "'" { continue }
      isAfterApostrophes = true
      if isTrigger(scalar) { return true }
      guard isIgnored(scalar) else { return false }
    }
    return false
  }
}
