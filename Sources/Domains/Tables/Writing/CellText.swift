/// Texts that a spreadsheet would take for formulas, and what is done about them: an apostrophe in front, which comes off again when
/// the table is read.
package enum CellText {
  /// What makes a formula of a text.
  private static func isTrigger(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
    default: false
    }
  }

  /// A text as it is written. One that has apostrophes before such a character of its own gets another one, so that it comes
  /// back as it was.
  package static func protected(_ text: String) -> String { isExposed(text) ? "'" + text : text }

  /// What was written as a text.
  package static func restored(_ text: String) -> String {
    text.utf8.first == UInt8(ascii: "'") && isExposed(text) ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Whether it is any number of apostrophes, perhaps none, and then such a character.
  private static func isExposed(_ text: String) -> Bool {
    text.utf8.first { $0 != UInt8(ascii: "'") }.map { isTrigger($0) } ?? false
  }
}
