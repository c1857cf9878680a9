import CivilTime
import DaybookProtocol
import Values

/// The cells of one row that have fields, and what is wrong with them.
package struct RowReader {
  package let mapping: ColumnMapping
  package let style: TableStyle
  /// The row and its line.
  package let row: Int
  package let line: Int
  /// The texts of the cells that `mapping` keeps.
  private let cells: [String]
  /// What is wrong, the first `TableProblem.mostTold` of it.
  package private(set) var problems: [TableProblem] = []
  /// What is told of the cells of fields in which something is wrong: a cell can be long, and much can be wrong in it.
  private var told: [String: String] = [:]

  package init(_ mapping: ColumnMapping, _ style: TableStyle, row: Int, line: Int, cells: [String]) {
    self.mapping = mapping
    self.style = style
    self.row = row
    self.line = line
    self.cells = cells
  }

  /// The text of a field as it stands; nil when it is empty, or there is no column for it.
  package func verbatim(_ field: String) -> String? {
    guard let slot = mapping.slots[field], cells.indices.contains(slot), !cells[slot].isEmpty else { return nil }
    return cells[slot]
  }

  /// The text of a field without white space around it; nil when nothing is left.
  package func raw(_ field: String) -> String? {
    guard let text = verbatim(field)?.trimmedCell, !text.isEmpty else { return nil }
    return text
  }

  /// Notes that something is wrong; once there is enough of that, nothing more.
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
    if let text = told[field] { return text }
    let text = raw(field).map { String($0.prefix(100)) }
    told[field] = text
    return text
  }

  /// A text of so many characters at most; nil when it is empty or refused.
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

  /// A number within bounds once it is turned into what is kept by `convert`, which is nil for what does not fit.
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
    case .invalid: refuse(.notANumber, field, "it is no number", allowed: allowed)
    case .value(let value):
      if let number = fits(value) { return number }
      refuse(.outOfRange, field, "it is out of range", allowed: allowed)
    case .ambiguous(let first, let second):
      switch (fits(first), fits(second)) {
      case (.some, .some):
        refuse(
          .ambiguousNumber, field, "it is \(first) or \(second), depending on what the decimal mark is",
          allowed: "a “decimalMark” decides", readings: ["\(first)", "\(second)"])
      // What cannot be meant is not meant.
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
    case .invalid: refuse(.notADay, field, "it is no day", allowed: allowed)
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
    if time == nil { refuse(.notATime, field, "it is no time of day", allowed: "HH:MM, or h:MM AM") }
    return time
  }

  /// An id; nil when it is empty or refused.
  package mutating func id(_ field: String) -> EntityID? {
    guard let text = raw(field) else { return nil }
    let id = EntityID(text)
    if id == nil { refuse(.notAnId, field, "it is no id", allowed: "a UUID, or nothing") }
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
  /// So many problems of a table, or of one row, are told at most.
  package static let mostTold = 100
}
