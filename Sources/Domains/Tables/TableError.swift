import DaybookProtocol

/// An error in the text of a table.
package struct TableError: Error, Sendable, Equatable {
  package struct Code: Hashable, Sendable {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// The bytes are malformed in the table's encoding.
    package static let notText = Code("notText")
    /// Binary data: an archive, a spreadsheet, a picture.
    package static let notATable = Code("notATable")
    /// There is no row.
    package static let empty = Code("empty")
    package static let unclosedQuote = Code("unclosedQuote")
    /// There is text between a closing quote and the end of its cell.
    package static let textBehindQuote = Code("textBehindQuote")
    package static let rowTooLong = Code("rowTooLong")
    package static let tooManyColumns = Code("tooManyColumns")
    package static let tooManyRows = Code("tooManyRows")
    package static let tooLarge = Code("tooLarge")
  }

  package let code: Code
  /// One sentence for people.
  package let message: String
  package let place: TablePlace?
  /// A remedy, for people.
  package let hint: String?

  package init(_ code: Code, _ message: String, at place: TablePlace? = nil, hint: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.hint = hint
  }

  /// The refusal of a text with more than so many bytes.
  package static func tooLarge(_ bytes: Int) -> TableError {
    TableError(.tooLarge, "The text has more than \(bytes) bytes.", hint: "split it up, by years for example")
  }
}

/// A place in the text of a table.
package struct TablePlace: Sendable, Equatable {
  /// The row's number as spreadsheets count: the header is 1.
  package var row: Int
  /// The number of the row's first line, from 1. Cells may contain line breaks.
  package var line: Int
  /// The number of the cell in its row, from 1.
  package var column: Int
}

/// The size limits of a table.
package struct TableLimits: Sendable {
  package var bytes = 100_000_000
  /// The header included.
  package var rows = 500_000
  package var rowBytes = 1 << 20
  package var columns = 1000

  package init() {}
}

extension TableProblemKind {
  /// The problem kind of a broken rule.
  package init(_ rule: Refusal.Rule) {
    self =
      switch rule {
      case .missing: .missing
      case .length: .tooLong
      case .range: .outOfRange
      case .precision: .tooPrecise
      case .form: .malformed
      case .repeated: .repeated
      case .order, .conflict, .other: .contradiction
      }
  }
}
