import DaybookProtocol

/// Why a text cannot be read as a table.
package struct TableError: Error, Sendable, Equatable {
  /// The kind of reason.
  package struct Code: Hashable, Sendable {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// The bytes are no text in the encoding that they are taken for.
    package static let notText = Code("notText")
    /// It is something else than a text: an archive, a spreadsheet, a picture.
    package static let notATable = Code("notATable")
    /// There is no row in it.
    package static let empty = Code("empty")
    /// A quote is opened and never closed.
    package static let unclosedQuote = Code("unclosedQuote")
    /// Something stands between a closing quote and the end of its cell.
    package static let textBehindQuote = Code("textBehindQuote")
    /// A row is longer than the limits allow.
    package static let rowTooLong = Code("rowTooLong")
    /// A row has more cells than the limits allow.
    package static let tooManyColumns = Code("tooManyColumns")
    /// There are more rows than the limits allow.
    package static let tooManyRows = Code("tooManyRows")
    /// The whole is longer than the limits allow.
    package static let tooLarge = Code("tooLarge")
  }

  /// The kind of reason.
  package let code: Code
  /// One sentence for people.
  package let message: String
  /// Where it is; nil when it is about the whole.
  package let place: TablePlace?
  /// What to do about it, for people.
  package let hint: String?

  package init(_ code: Code, _ message: String, at place: TablePlace? = nil, hint: String? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.hint = hint
  }
}

/// A place in the text of a table.
package struct TablePlace: Sendable, Equatable {
  /// The number of the row as a spreadsheet counts them: the header is 1.
  package var row: Int
  /// The number of the line that the row begins on, from 1; another one as soon as a cell has a line break in it.
  package var line: Int
  /// The number of the cell in its row, from 1.
  package var column: Int

  package init(row: Int, line: Int, column: Int) {
    self.row = row
    self.line = line
    self.column = column
  }
}

/// How large a table may be.
package struct TableLimits: Sendable {
  /// Bytes of the text.
  package var bytes = 100_000_000
  /// Rows, the header among them.
  package var rows = 500_000
  /// Bytes of a row.
  package var rowBytes = 1 << 20
  /// Cells of a row.
  package var columns = 1000

  package init() {}
}
