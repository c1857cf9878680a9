/// Something that a table may say in each row.
package struct TableField: Sendable, Equatable {
  /// Its name, by which a client may say which column has it.
  package let name: String
  /// What programs call its column.
  package let headers: [String]
  /// Whether a table without it cannot be used.
  package let isRequired: Bool

  package init(_ name: String, _ headers: [String] = [], isRequired: Bool = false) {
    self.name = name
    self.headers = headers
    self.isRequired = isRequired
  }
}

/// The header of a column: what it says, and the unit in brackets at its end.
package struct TableHeader: Sendable, Equatable {
  /// As it stands in the table, without white space around it.
  package let text: String
  /// The same in small letters, with single spaces, for comparing.
  package let key: String
  /// The key without a unit.
  package let base: String
  /// What stands in brackets at its end, such as `kcal`, in small letters; nil when nothing does.
  package let unit: String?

  package init(_ text: String) {
    self.text = text.trimmedCell
    key = TableHeader.key(text)
    if key.utf8.last == UInt8(ascii: ")"), let open = key.lastIndex(of: "(") {
      unit = String(key[key.index(after: open)...].dropLast()).trimmedCell
      base = String(key[..<open]).trimmedCell
    } else {
      unit = nil
      base = key
    }
  }

  /// What two spellings of a header have in common.
  package static func key(_ text: String) -> String {
    var key = ""
    var isSpace = false
    for scalar in text.trimmedCell.lowercased().unicodeScalars {
      if scalar.properties.isWhitespace || scalar == "_" {
        isSpace = true
        continue
      }
      if isSpace, !key.isEmpty { key.unicodeScalars.append(" ") }
      isSpace = false
      key.unicodeScalars.append(scalar)
    }
    return key
  }
}
