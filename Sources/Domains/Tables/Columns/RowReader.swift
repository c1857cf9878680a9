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
  /// Why the row is ignored, if that is worth telling.
  package internal(set) var ignoredReason: TableIgnoredReason?
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

  /// The text of a field without surrounding white space; nil when nothing is left, or a word for no value.
  package func raw(_ field: String) -> String? {
    guard let text = trimmed(field), !text.isNoValue else { return nil }
    return text
  }

  /// The text of a field without surrounding white space, also if it says “n/a”; nil when nothing is left.
  package func trimmed(_ field: String) -> String? {
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
    let text = trimmed(field).map { String($0.prefix(100)) }
    beginnings[field] = text
    return text
  }

  /// A text of at most `longest` characters; nil when it is empty or refused.
  ///
  /// - Parameter isVerbatim: Whether a word for no value is a text like others, as in our own tables.
  package mutating func text(
    _ field: String, longest: Int, isRequired: Bool = false, isVerbatim: Bool = false
  ) -> String? {
    guard let text = isVerbatim ? trimmed(field) : raw(field), !isRequired || text.isVisible else {
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

  /// A day in the user's zone; nil when it is refused, or empty and not required.
  package mutating func day(_ field: String, isRequired: Bool = true) -> CivilDay? {
    moment(field, isRequired: isRequired)?.day
  }

  /// A day with the time behind it; nil when it is refused, or empty and not required.
  package mutating func moment(_ field: String, isRequired: Bool = true) -> CellDay? {
    let allowed = "a day from 1900-01-01 to 2200-12-31, its year with four digits"
    guard let text = raw(field) else {
      if isRequired { refuse(.missing, field, "it is empty", allowed: allowed) }
      return nil
    }
    switch DateText.moment(text, order: style.order) {
    case .value(let moment):
      if let day = CellDay(moment, in: style.zone) { return day }
      refuse(.notADay, field, "it is not a day", allowed: allowed)
    case .invalid where DateText.hasBadTime(text):
      refuse(
        .notATime, field, "the time behind the day is impossible",
        allowed: "such as 2026-01-05 18:00, 2026-01-05 6:00 PM or 2026-01-05T18:00:00+01:00")
    case .invalid: refuse(.notADay, field, "it is not a day", allowed: allowed)
    case .ambiguous(let first, let second):
      refuse(
        .ambiguousDate, field,
        "it is \(first.day) or \(second.day), depending on whether the month or the day comes first",
        allowed: "a “dateFormat” decides", readings: ["\(first.day)", "\(second.day)"])
    }
    return nil
  }

  /// A time of day, alone or behind a day; nil when it is empty or refused.
  package mutating func time(_ field: String) -> WallTime? { clock(field)?.time }

  /// A time of day, and the text from which ids are derived.
  private mutating func clock(_ field: String) -> (time: WallTime, key: String)? {
    guard let text = raw(field) else { return nil }
    if let time = TimeText.time(text) { return (time, "\(time)") }
    let moment = DateText.moment(text, order: style.order).readings.first
    guard let day = moment.flatMap({ CellDay($0, in: style.zone) }), let time = day.time, let key = day.keyTime else {
      refuse(.notATime, field, "it is not a time of day", allowed: "HH:MM, or h:MM AM")
      return nil
    }
    return (time, "\(key)")
  }

  /// The time of day in its own column, else behind the day, and the text from which ids are derived: empty for a time
  /// behind the day, which no id has.
  package mutating func time(_ field: String, behind day: CellDay?) -> (time: WallTime?, key: String) {
    guard let column = mapping.columns[field], raw(field) != nil else { return (style.hasTimes ? day?.time : nil, "") }
    // A mapping may name the day's column.
    if mapping.columns.contains(where: { $0.key != field && $0.value == column }) { return (day?.time, "") }
    return clock(field).map { ($0.time, $0.key) } ?? (nil, "")
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

extension String {
  /// Whether a cell's text without surrounding white space says that there is no value.
  package var isNoValue: Bool {
    // Most cells are longer, or numbers.
    guard utf8.count <= 4, utf8.first.map({ $0 &- 0x30 >= 10 }) ?? true else { return false }
    return ["", "-", "--", "n/a", "nan", "null"].contains(lowercased())
  }
}

extension TableProblem {
  /// The most problems that are reported of a table or a row.
  package static let mostTold = 100
}
