/// Something in a row that keeps it from being used.
package struct CellProblem: Sendable, Equatable {
  /// What is wrong.
  package struct Code: Hashable, Sendable {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// The cell is empty.
    package static let missing = Code("missing")
    /// The text is too long.
    package static let tooLong = Code("tooLong")
    /// The number is too small or too large.
    package static let outOfRange = Code("outOfRange")
    /// It is no number.
    package static let notANumber = Code("notANumber")
    /// It is two numbers, depending on what the decimal mark is.
    package static let ambiguousNumber = Code("ambiguousNumber")
    /// It is no day of the calendar, or none that can be named.
    package static let notADay = Code("notADay")
    /// It is two days, depending on what comes first.
    package static let ambiguousDate = Code("ambiguousDate")
    /// It is no time of day.
    package static let notATime = Code("notATime")
    /// It is no id.
    package static let notAnID = Code("notAnId")
    /// It is none of the values there are.
    package static let unknownValue = Code("unknownValue")
    /// Nothing says what unit it is in.
    package static let missingUnit = Code("missingUnit")
    /// The row has fewer or more cells than the header.
    package static let raggedRow = Code("raggedRow")
    /// Another row has the same id.
    package static let repeatedID = Code("repeatedId")
    /// The number has more digits after the point than are kept.
    package static let tooPrecise = Code("tooPrecise")
    /// It has not the form that it should have.
    package static let malformed = Code("malformed")
    /// It is there twice.
    package static let repeated = Code("repeated")
    /// It does not go with what another cell says.
    package static let contradiction = Code("contradiction")
  }

  /// So many problems of a table, or of one row, are told at most.
  package static let mostTold = 100

  package let code: Code
  /// The row, as a spreadsheet counts, and the line that it begins on.
  package let row: Int
  package let line: Int
  /// The number of the column, from 1; nil when it is about the row.
  package let column: Int?
  /// What the column's header says.
  package let header: String?
  /// The field that the column has.
  package let field: String?
  /// What stands in the cell, its first 100 characters.
  package let value: String?
  /// What is wrong, for people.
  package let message: String
  /// What would have been accepted, in words.
  package let allowed: String?
  /// What it may mean, when it may mean two things.
  package let readings: [String]
}
