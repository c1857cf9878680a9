import DaybookProtocol

/// Reads a table of comma-separated values (RFC 4180) whose bytes come in any pieces: rows end in CR LF, LF or CR, cells with
/// delimiters, quotes or line breaks in them are quoted, and quotes within are doubled. Encoding and delimiter are found out
/// unless they are stated. Blank lines are passed over; a quote within an unquoted cell stands for itself.
package struct TableReader {
  private enum State { case cellStart, plain, quoted, behindQuote }

  private let limits: TableLimits
  private var decoder: TextDecoder
  /// What separates cells; nil until it is known.
  package private(set) var delimiter: UInt8?
  /// The first bytes, decoded, until the delimiter is known.
  private var head: [UInt8] = []
  private var text: [UInt8] = []
  private var taken = 0

  private var state = State.cellStart
  private var cells: [UInt8] = []
  private var ends: [Int] = []
  /// Whether the row has anything in it, be it an empty pair of quotes.
  private var hasContent = false
  private var number = 1
  private var rowLine = 1
  private var line = 1
  private var endsInReturn = false
  private var hasFailed = false

  /// - Parameters:
  ///   - encoding: How the text is encoded; nil when its bytes are to tell: a byte order mark, UTF-16 by its zeros, else UTF-8.
  ///   - delimiter: What separates cells; nil when the first row is to tell, or a first line such as `sep=;`.
  package init(encoding: TableEncoding? = nil, delimiter: UInt8? = nil, limits: TableLimits = TableLimits()) {
    decoder = TextDecoder(encoding)
    self.delimiter = delimiter
    self.limits = limits
  }

  /// How the text is encoded, once that is known.
  package var encoding: TableEncoding? { decoder.encoding }

  /// Takes the next bytes and hands out the rows that are whole.
  package mutating func take(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (CellRow) -> Void
  ) throws(TableError) {
    guard !hasFailed else { return }
    do throws(TableError) { try takeUnlessFailed(bytes, isLast: isLast, body) } catch {
      hasFailed = true
      throw error
    }
  }

  /// The same with an array.
  package mutating func take(_ bytes: [UInt8], isLast: Bool, _ body: (CellRow) -> Void) throws(TableError) {
    try bytes.withUnsafeBufferPointer { bytes throws(TableError) in
      try take(UnsafeRawBufferPointer(bytes), isLast: isLast, body)
    }
  }

  /// All rows of a text.
  package static func rows(
    _ bytes: [UInt8], encoding: TableEncoding? = nil, delimiter: UInt8? = nil, limits: TableLimits = TableLimits()
  ) throws(TableError) -> [[String]] {
    var reader = TableReader(encoding: encoding, delimiter: delimiter, limits: limits)
    var rows: [[String]] = []
    try reader.take(bytes, isLast: true) { rows.append($0.cells) }
    return rows
  }

  private mutating func takeUnlessFailed(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, _ body: (CellRow) -> Void
  ) throws(TableError) {
    taken += bytes.count
    guard taken <= limits.bytes else {
      throw TableError(
        .tooLarge, "The text has more than \(limits.bytes) bytes.", hint: "split it up, by years for example")
    }
    text.removeAll(keepingCapacity: true)
    let fault = decoder.take(bytes, isLast: isLast, into: &text)
    if delimiter == nil {
      head += text
      text = []
      if isLast || fault != nil || head.count > limits.rowBytes || Delimiter.end(ofFirstRow: head) != nil { begin() }
    }
    if delimiter != nil {
      let piece = text
      text = []
      try piece.withUnsafeBufferPointer { piece throws(TableError) in
        if let base = piece.baseAddress { try read(base, piece.count, body) }
      }
      text = piece
    }
    if let fault { throw error(fault) }
    if isLast { try finish(body) }
  }

  /// Finds out the delimiter, and has the rest of the beginning read next.
  private mutating func begin() {
    let found = Delimiter.found(in: head)
    delimiter = found.delimiter
    // The line that names it is a line, but no row.
    if found.skipped > 0 {
      line += 1
      endsInReturn = head[found.skipped - 1] == 0x0D
    }
    rowLine = line
    text = Array(head[found.skipped...])
    head = []
  }

  private func error(_ fault: TextDecoder.Fault) -> TableError {
    switch fault {
    case .binary:
      TableError(
        .notATable, "The file is an archive, a spreadsheet or something else that is no text.",
        hint: "take the CSV file out of the archive, or save the spreadsheet as CSV")
    case .malformed(.utf8):
      TableError(
        .notText, "The text is not UTF-8.", at: place,
        hint: "save it as UTF-8, or say what it is, such as “windows1252”")
    case .malformed(let encoding):
      TableError(.notText, "The text is not what “\(encoding.rawValue)” looks like.", at: place)
    }
  }

  /// Where reading is.
  private var place: TablePlace { TablePlace(row: number, line: rowLine, column: ends.count + 1) }

  // MARK: the rows

  private mutating func read(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ body: (CellRow) -> Void
  ) throws(TableError) {
    let delimiter = delimiter ?? UInt8(ascii: ",")
    let quote = UInt8(ascii: "\"")
    var at = 0
    while at < count {
      let byte = base[at]
      switch state {
      case .cellStart, .plain:
        if byte == quote, state == .cellStart {
          state = .quoted
          hasContent = true
          endsInReturn = false
          at += 1
        } else if byte == delimiter {
          try endCell()
          hasContent = true
          endsInReturn = false
          at += 1
        } else if byte == 0x0A || byte == 0x0D {
          at += 1
          // The LF of a CR LF ends nothing more.
          if byte == 0x0A, endsInReturn {
            endsInReturn = false
            continue
          }
          endsInReturn = byte == 0x0D
          line += 1
          try endRow(body)
        } else {
          let start = at
          repeat { at += 1 } while at < count && base[at] != delimiter && base[at] != 0x0A && base[at] != 0x0D
          try append(base + start, at - start)
          state = .plain
          hasContent = true
          endsInReturn = false
        }
      case .quoted:
        let start = at
        while at < count, base[at] != quote {
          if base[at] == 0x0A { if !endsInReturn { line += 1 } } else if base[at] == 0x0D { line += 1 }
          endsInReturn = base[at] == 0x0D
          at += 1
        }
        if at > start { try append(base + start, at - start) }
        if at < count {
          endsInReturn = false
          state = .behindQuote
          at += 1
        }
      case .behindQuote:
        if byte == quote {
          try append(base + at, 1)
          state = .quoted
          at += 1
        } else if byte == delimiter || byte == 0x0A || byte == 0x0D {
          state = .plain
        } else if byte == UInt8(ascii: " ") {
          // What people put in for looks.
          at += 1
        } else {
          throw TableError(
            .textBehindQuote, "There is something between a closing quote and the end of its cell.", at: place,
            hint: "a quote within a quoted cell is written twice")
        }
      }
    }
  }

  private mutating func append(_ start: UnsafePointer<UInt8>, _ count: Int) throws(TableError) {
    guard cells.count + count <= limits.rowBytes else {
      throw TableError(
        .rowTooLong, "A row has more than \(limits.rowBytes) bytes.", at: place,
        hint: "perhaps a quote is missing somewhere before")
    }
    cells += UnsafeBufferPointer(start: start, count: count)
  }

  private mutating func endCell() throws(TableError) {
    guard ends.count < limits.columns else {
      throw TableError(.tooManyColumns, "A row has more than \(limits.columns) cells.", at: place)
    }
    ends.append(cells.count)
    state = .cellStart
  }

  private mutating func endRow(_ body: (CellRow) -> Void) throws(TableError) {
    if hasContent {
      try endCell()
      guard number <= limits.rows else {
        throw TableError(
          .tooManyRows, "There are more than \(limits.rows) rows.", at: place, hint: "split it up, by years for example"
        )
      }
      body(CellRow(bytes: cells, ends: ends, number: number, line: rowLine))
      number += 1
    }
    cells.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hasContent = false
    state = .cellStart
    rowLine = line
  }

  private mutating func finish(_ body: (CellRow) -> Void) throws(TableError) {
    guard state != .quoted else {
      throw TableError(
        .unclosedQuote, "A quote is opened and never closed.", at: place,
        hint: "the file may have been cut off, or a quote is not doubled")
    }
    try endRow(body)
    guard number > 1 else { throw TableError(.empty, "There is nothing in the text.") }
  }
}
