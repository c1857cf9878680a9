import DaybookProtocol

/// A row of a table.
package struct CellRow: Sendable {
  /// The concatenated cells, without quotes.
  fileprivate var bytes: [UInt8] = []
  /// The end of each cell in `bytes`.
  fileprivate var ends: [Int] = []
  /// The row's number as spreadsheets count: the header is 1.
  package let number: Int
  /// The number of the row's first line, from 1.
  package let line: Int

  package var count: Int { ends.count }

  /// The text of a cell; empty beyond the last one.
  package subscript(index: Int) -> String {
    guard ends.indices.contains(index) else { return "" }
    return String(decoding: bytes[start(of: index)..<ends[index]], as: UTF8.self)
  }

  package var cells: [String] { ends.indices.map { self[$0] } }

  /// Whether a cell is empty or has only spaces.
  func isEmpty(_ index: Int) -> Bool { bytes[start(of: index)..<ends[index]].allSatisfy { $0 == 0x20 || $0 == 0x09 } }

  private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }
}

/// Reads a table of comma-separated values (RFC 4180).
///
/// Rows end in CR LF, LF or CR. Cells that contain delimiters, quotes or line breaks are quoted, and quotes in them doubled.
/// Blank lines are skipped; a quote within an unquoted cell is an ordinary character.
package struct TableReader {
  package let encoding: TableEncoding
  package let delimiter: UInt8
  /// Bytes read so far.
  private(set) var position: Int
  private let text: [UInt8]
  private let isCut: Bool
  private let limits: TableLimits
  /// The next row and line.
  private var number: Int
  private var line: Int
  private var isFirst = true

  /// - Parameters:
  ///   - encoding: The encoding; nil to detect it.
  ///   - delimiter: The delimiter; nil to detect it by the first row, or by a first line such as `sep=;`.
  package init(
    _ bytes: [UInt8], encoding: TableEncoding? = nil, delimiter: UInt8? = nil, limits: TableLimits = TableLimits()
  ) throws(TableError) {
    let text = try DecodedText(bytes, stated: encoding, limits: limits)
    guard let first = HeaderPlace.all(in: text, skipLines: 0, delimiter: delimiter).first else {
      throw TableError(.empty, "The text is empty.")
    }
    self.init(text, at: first, limits: limits)
  }

  /// A reader of the rows from a header on. Skipped lines count as rows and lines; one that names the delimiter counts as a
  /// line, but not as a row.
  init(_ text: DecodedText, at header: HeaderPlace, limits: TableLimits) {
    (encoding, self.text, isCut, self.limits) = (text.encoding, text.utf8, text.isCut, limits)
    (delimiter, position, line, number) = (header.delimiter, header.start, header.line, header.skipped + 1)
  }

  /// All rows of a text.
  package static func rows(
    _ bytes: [UInt8], encoding: TableEncoding? = nil, delimiter: UInt8? = nil, limits: TableLimits = TableLimits()
  ) throws(TableError) -> [[String]] {
    var reader = try TableReader(bytes, encoding: encoding, delimiter: delimiter, limits: limits)
    var rows: [[String]] = []
    while let row = try reader.next() { rows.append(row.cells) }
    return rows
  }

  /// The next row; nil at the end.
  package mutating func next() throws(TableError) -> CellRow? {
    while isAtLineBreak { skipLineBreak() }
    var row = CellRow(number: number, line: line)
    guard position < text.count else {
      if let error = decodingError(row) { throw error }
      guard !isFirst else {
        let skipped = number - 1
        throw TableError(
          .empty, skipped == 0 ? "The text is empty." : "The text has no row behind the \(skipped) skipped lines.",
          hint: skipped == 0 ? nil : "“skipLines” is the number of lines above the header")
      }
      return nil
    }
    try read(&row)
    guard number <= limits.rows else {
      throw TableError(
        .tooManyRows, "There are more than \(limits.rows) rows.", at: place(row),
        hint: "split it up, by years for example")
    }
    number += 1
    isFirst = false
    return row
  }

  private static let quote = UInt8(ascii: "\"")

  private mutating func read(_ row: inout CellRow) throws(TableError) {
    while true {
      if position < text.count, text[position] == TableReader.quote {
        try readQuoted(&row)
      } else {
        try append(to: firstIndex { $0 == delimiter || $0 == 0x0A || $0 == 0x0D }, &row)
      }
      if position == text.count, let error = decodingError(row) { throw error }
      guard row.ends.count < limits.columns else {
        throw TableError(.tooManyColumns, "A row has more than \(limits.columns) cells.", at: place(row))
      }
      row.ends.append(row.bytes.count)
      guard position < text.count, text[position] == delimiter else { break }
      position += 1
    }
    if isAtLineBreak { skipLineBreak() }
  }

  /// Reads a quoted cell, and the spaces between its closing quote and the delimiter, unless that is a space.
  private mutating func readQuoted(_ row: inout CellRow) throws(TableError) {
    position += 1
    while true {
      let start = position
      try append(to: firstIndex { $0 == TableReader.quote }, &row)
      for index in start..<position where text[index] == 0x0D || text[index] == 0x0A {
        let isCRLF = text[index] == 0x0A && index > start && text[index - 1] == 0x0D
        if !isCRLF { line += 1 }
      }
      guard position < text.count else {
        throw decodingError(row)
          ?? TableError(
            .unclosedQuote, "A quote is opened and never closed.", at: place(row),
            hint: "the file may have been cut off, or a quote is not doubled")
      }
      position += 1
      let delimiter = delimiter
      position = firstIndex { $0 != UInt8(ascii: " ") || $0 == delimiter }
      guard position < text.count, text[position] == TableReader.quote else { break }
      // A doubled quote.
      try append(to: position + 1, &row)
    }
    guard position == text.count || text[position] == delimiter || isAtLineBreak else {
      throw TableError(
        .textBehindQuote, "There is text between a closing quote and the end of its cell.", at: place(row),
        hint: "a quote within a quoted cell is written twice")
    }
  }

  /// Appends the text up to an index to the row's last cell.
  private mutating func append(to end: Int, _ row: inout CellRow) throws(TableError) {
    guard row.bytes.count + end - position <= limits.rowBytes else {
      throw TableError(
        .rowTooLong, "A row has more than \(limits.rowBytes) bytes.", at: place(row),
        hint: "a quote may be missing before it")
    }
    row.bytes += text[position..<end]
    position = end
  }

  private func firstIndex(where matches: (UInt8) -> Bool) -> Int {
    text.withUnsafeBufferPointer { text in
      var index = position
      while index < text.count, !matches(text[index]) { index += 1 }
      return index
    }
  }

  private var isAtLineBreak: Bool { position < text.count && (text[position] == 0x0A || text[position] == 0x0D) }

  private mutating func skipLineBreak() {
    let isReturn = text[position] == 0x0D
    position += 1
    if isReturn, position < text.count, text[position] == 0x0A { position += 1 }
    line += 1
  }

  private func place(_ row: CellRow) -> TablePlace {
    TablePlace(row: row.number, line: row.line, column: row.ends.count + 1)
  }

  /// The error that ended decoding, at the row's present cell; nil when all was decoded.
  private func decodingError(_ row: CellRow) -> TableError? {
    guard isCut else { return nil }
    guard encoding == .utf8 else {
      return TableError(.notText, "The text is not valid “\(encoding.rawValue)”.", at: place(row))
    }
    return TableError(
      .notText, "The text is not UTF-8.", at: place(row),
      hint: "save it as UTF-8, or state its “encoding”, such as “windows1252”")
  }
}
