/// A field that the rows of a table may have.
package struct TableField: Sendable, Equatable {
  /// The name by which a client may state its column.
  package let name: String
  /// The headers that programs give its column.
  package let headers: [String]
  package let isRequired: Bool
  /// The field whose column it may share: that of the day, for a time of day.
  package let companion: String?

  package init(_ name: String, _ headers: [String] = [], isRequired: Bool = false, sharing companion: String? = nil) {
    self.name = name
    self.headers = headers
    self.isRequired = isRequired
    self.companion = companion
  }
}

/// The header of a column, and the unit in parentheses at its end.
package struct TableHeader: Sendable, Equatable {
  /// The text without surrounding white space.
  package let text: String
  /// The text in lower case with single spaces, for comparison.
  package let key: String
  /// The key without a unit.
  package let base: String
  /// The unit in lower case, such as `kcal`.
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

  /// A text in lower case with single spaces instead of white space and underscores.
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
