import DaybookProtocol

/// Texts that a spreadsheet would take for formulas, and what is done about them: an apostrophe in front, which comes off again when
/// the table is read.
package enum CellText {
  /// What makes a formula of a text, as a keyboard or a full-width one has it.
  private static func isTrigger(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠": true
    default: false
    }
  }

  /// What a spreadsheet passes over at the beginning of a cell: white space, and what cannot be seen.
  private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value <= 0x20 || (scalar.value >= 0x7F && (scalar.properties.isWhitespace || !scalar.isVisible))
  }

  /// A text as it is written. One that has apostrophes before such a character of its own gets another one, so that it comes
  /// back as it was.
  package static func protected(_ text: String) -> String { isExposed(text) ? "'" + text : text }

  /// What was written as a text.
  package static func restored(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "'") && isExposed(text) ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Whether it is any number of apostrophes, perhaps none, then any white space, and then such a character.
  private static func isExposed(_ text: String) -> Bool {
    var isBehindApostrophes = false
    for scalar in text.unicodeScalars {
      if !isBehindApostrophes, scalar == "'" { continue }
      isBehindApostrophes = true
      if isTrigger(scalar) { return true }
      guard isPassedOver(scalar) else { return false }
    }
    return false
  }
}
