/// A piece of a table's line, in one column.
package struct Cell: Equatable, Sendable {
  package var text: String
  package var paint: Paint?
  /// Whether the text is never cut, in a column whose other texts are.
  package var isWhole = false

  package init(_ text: String, _ paint: Paint? = nil, isWhole: Bool = false) {
    (self.text, self.paint, self.isWhole) = (text, paint, isWhole)
  }
}

/// A column of a table.
package struct Column: Equatable, Sendable {
  package enum Kind: Sendable {
    /// Cut when there is no room, down to eight cells before another column leaves.
    case name
    /// Never cut; on the left or the right of its column.
    case word, number
  }

  package let title: String
  package let kind: Kind
  /// When the column leaves: the highest first; 0 stays.
  package let leaves: Int

  package init(_ title: String, _ kind: Kind, leaves: Int = 0) {
    (self.title, self.kind, self.leaves) = (title, kind, leaves)
  }
}

/// Aligned columns, at most as wide as the surface.
package struct Table: Sendable {
  package let columns: [Column]
  package var rows: [[Cell]] = []
  /// The spaces before each line.
  package var indent = 0
  package var hasTitles = true

  package init(_ columns: [Column], indent: Int = 0, hasTitles: Bool = true) {
    (self.columns, self.indent, self.hasTitles) = (columns, indent, hasTitles)
  }

  /// The lines; none without rows.
  package func lines(on surface: Surface) -> [String] {
    let rows = rows.map { row in
      row.map { Cell(surface.shown($0.text), $0.paint, isWhole: $0.isWhole) }
    }
    guard !rows.isEmpty else { return [] }
    let widths = widths(of: rows, in: surface.width)
    let titles = columns.map { Cell($0.title, .dim) }
    return ((hasTitles ? [titles] : []) + rows).map { line($0, widths, surface) }
  }

  private static let gap = 2

  /// The cells of each column; nil for one that is empty or has left.
  private func widths(of rows: [[Cell]], in room: Int?) -> [Int?] {
    var natural: [Int?] = []
    var least: [Int] = []
    var shortest: [Int] = []
    for (index, column) in columns.enumerated() {
      let widest = rows.reduce(0) { max($0, Cells.width(of: $1[index].text)) }
      let whole = rows.reduce(0) { $1[index].isWhole ? max($0, Cells.width(of: $1[index].text)) : $0 }
      let title = hasTitles ? column.title.utf8.count : 0
      natural.append(widest == 0 ? nil : max(widest, title))
      shortest.append(max(whole, 1))
      least.append(column.kind == .name ? max(whole, min(max(widest, title), 8)) : max(widest, title))
    }
    guard let room else { return natural }
    func width(_ widths: [Int?]) -> Int {
      let shown = widths.compactMap { $0 }
      return indent + shown.reduce(0, +) + Table.gap * max(0, shown.count - 1)
    }
    while width(natural.indices.map { natural[$0] == nil ? nil : least[$0] }) > room,
      let index = nextToLeave(natural)
    {
      natural[index] = nil
    }
    var fitting = natural
    // The widest name gives way; when all are short already, below what they should keep.
    for floor in [least, shortest] {
      while width(fitting) > room {
        let names = fitting.indices.filter { columns[$0].kind == .name && (fitting[$0] ?? 0) > floor[$0] }
        guard let widest = names.max(by: { (fitting[$0] ?? 0) < (fitting[$1] ?? 0) }) else { break }
        fitting[widest] = fitting[widest].map { $0 - 1 }
      }
    }
    return fitting
  }

  private func nextToLeave(_ widths: [Int?]) -> Int? {
    widths.indices.filter { widths[$0] != nil && columns[$0].leaves > 0 }.max {
      columns[$0].leaves < columns[$1].leaves
    }
  }

  private func line(_ row: [Cell], _ widths: [Int?], _ surface: Surface) -> String {
    var line = String(repeating: " ", count: indent)
    // Spaces are written only before something.
    var pending = 0
    for (index, cell) in row.enumerated() {
      guard let width = widths[index] else { continue }
      let text = Cells.cut(cell.text, to: width, mark: surface.cutMark)
      let free = width - Cells.width(of: text)
      let isOnRight = columns[index].kind == .number
      if isOnRight { pending += free }
      if !text.isEmpty {
        line += String(repeating: " ", count: pending) + surface.painted(text, cell.paint)
        pending = 0
      }
      pending += (isOnRight ? 0 : free) + Table.gap
    }
    return line
  }
}
