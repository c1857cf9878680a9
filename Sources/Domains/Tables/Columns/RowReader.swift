import DaybookProtocol

/// Reads the cells of one row by field, and collects their problems.
package struct RowReader {
  package let mapping: ColumnMapping
  package let style: TableStyle
  package let row: Int
  package let line: Int
  /// The cells that `mapping` keeps.
  private let cells: [String]
  /// The first `TableProblem.mostTold` problems.
  package private(set) var problems: [TableProblem] = []
  /// The reported beginnings of cells, cached: a long cell can have many problems.
  private var beginnings: [String: String] = [:]

  package init(_ mapping: ColumnMapping, _ style: TableStyle, row: Int, line: Int, cells: [String]) {
    self.mapping = mapping
    self.style = style
    self.row = row
    self.line = line
    self.cells = cells
  }

  /// The unchanged text of a field; nil when it is empty or unmapped.
  package func verbatim(_ field: String) -> String? {
    guard let slot = mapping.slots[field], cells.indices.contains(slot), !cells[slot].isEmpty else { return nil }
    return cells[slot]
  }

  /// The text of a field without surrounding white space; nil when nothing is left.
  package func raw(_ field: String) -> String? {
    guard let text = verbatim(field)?.trimmedCell, !text.isEmpty else { return nil }
    return text
  }

  /// Adds a problem, up to the limit.
  package mutating func refuse(
    _ kind: TableProblemKind, _ field: String?, _ reason: String, allowed: String? = nil, readings: [String]? = nil
  ) {
    guard problems.count < TableProblem.mostTold else { return }
    let column = field.flatMap { mapping.columns[$0] }
    problems.append(
      TableProblem(
        kind: kind, row: row, line: line, column: column.map { $0 + 1 },
        header: column.map { mapping.headers[$0].text }, field: field, value: field.flatMap { beginning(of: $0) },
        reason: reason, allowed: allowed, readings: readings))
  }

  /// The first 100 characters of a field; nil when it is empty.
  private mutating func beginning(of field: String) -> String? {
    if let text = beginnings[field] { return text }
    let text = raw(field).map { String($0.prefix(100)) }
    beginnings[field] = text
    return text
  }

  /// A text of at most `longest` characters; nil when it is empty or refused.
  package mutating func text(_ field: String, longest: Int, isRequired: Bool = false) -> String? {
    guard let text = raw(field), !isRequired || text.isVisible else {
      if isRequired { refuse(.missing, field, "it is empty", allowed: "1 to \(longest) characters") }
      return nil
    }
    guard text.utf8.count <= longest || text.unicodeScalars.count <= longest else {
      refuse(.tooLong, field, "it is too long", allowed: "1 to \(longest) characters")
      return nil
    }
    return text
  }

  /// A number that is in `range` after `convert`, which returns nil for numbers that do not fit.
  package mutating func number(
    _ field: String, in range: ClosedRange<Decimal>, allowed: String, isRequired: Bool = false,
    _ convert: (Decimal) -> Decimal?
  ) -> Decimal? {
    guard let text = raw(field) else {
      if isRequired { refuse(.missing, field, "it is empty", allowed: allowed) }
      return nil
    }
    func fits(_ reading: Decimal) -> Decimal? { convert(reading).flatMap { range.contains($0) ? $0 : nil } }
    switch NumberText.reading(text, mark: style.mark) {
    case .invalid: refuse(.notANumber, field, "it is not a number", allowed: allowed)
    case .value(let value):
      if let number = fits(value) { return number }
      refuse(.outOfRange, field, "it is out of range", allowed: allowed)
    case .ambiguous(let first, let second):
      switch (fits(first), fits(second)) {
      case (.some, .some):
        refuse(
          .ambiguousNumber, field, "it is \(first) or \(second), depending on the decimal mark",
          allowed: "a “decimalMark” decides", readings: ["\(first)", "\(second)"])
      // Only one reading is in range.
      case (let number?, nil), (nil, let number?): return number
      case (nil, nil): refuse(.outOfRange, field, "it is out of range", allowed: allowed)
      }
    }
    return nil
  }

  /// A day; nil when it is refused, or empty and not required.
  package mutating func day(_ field: String, isRequired: Bool = true) -> CivilDay? {
    let allowed = "a day from 1900-01-01 to 2200-12-31, its year with four digits"
    guard let text = raw(field) else {
      if isRequired { refuse(.missing, field, "it is empty", allowed: allowed) }
      return nil
    }
    switch DateText.reading(text, order: style.order) {
    case .value(let day): return day
    case .invalid: refuse(.notADay, field, "it is not a day", allowed: allowed)
    case .ambiguous(let first, let second):
      refuse(
        .ambiguousDate, field, "it is \(first) or \(second), depending on whether the month or the day comes first",
        allowed: "a “dateFormat” decides", readings: ["\(first)", "\(second)"])
    }
    return nil
  }

  /// A time of day; nil when it is empty or refused.
  package mutating func time(_ field: String) -> WallTime? {
    guard let text = raw(field) else { return nil }
    let time = TimeText.time(text)
    if time == nil { refuse(.notATime, field, "it is not a time of day", allowed: "HH:MM, or h:MM AM") }
    return time
  }

  /// An id; nil when it is empty or refused.
  package mutating func id(_ field: String) -> EntityID? {
    guard let text = raw(field) else { return nil }
    let id = EntityID(text)
    if id == nil { refuse(.notAnId, field, "it is not an id", allowed: "a UUID, or nothing") }
    return id
  }

  /// Yes or no; nil when it is empty or refused.
  package mutating func flag(_ field: String) -> Bool? {
    guard let text = raw(field) else { return nil }
    switch text.lowercased() {
    case "true", "yes", "1", "x": return true
    case "false", "no", "0": return false
    default:
      refuse(.unknownValue, field, "it is neither yes nor no", allowed: "true, false")
      return nil
    }
  }
}

extension TableProblem {
  /// The most problems that are reported of a table or a row.
  package static let mostTold = 100
}
