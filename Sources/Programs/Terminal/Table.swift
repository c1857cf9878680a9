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

  /// The cells that the first columns take when nothing of them is cut.
  package func width(ofFirst count: Int, on surface: Surface) -> Int {
    let widths = (0..<count).map { column in
      rows.map { Cells.width(of: surface.shown($0[column].text)) }.max() ?? 0
    }
    return indent + widths.reduce(0, +) + Table.gap * (count - 1)
  }

  private static let gap = 2
  /// In a pipe, a longer text does not move the columns of other lines.
  private static let widestAligned = 60

  /// The cells of each column; nil for one that is empty or has left.
  private func widths(of rows: [[Cell]], in room: Int?) -> [Int?] {
    var widths: [Int?] = []
    // What names keep before other columns leave, and before the last of those does.
    var (least, shortest): ([Int], [Int]) = ([], [])
    for (index, column) in columns.enumerated() {
      var (widest, whole) = (0, 1)
      for row in rows {
        let width = Cells.width(of: row[index].text)
        widest = max(widest, width)
        if row[index].isWhole || column.kind != .name { whole = max(whole, width) }
      }
      let natural = max(widest, hasTitles ? column.title.utf8.count : 0)
      widths.append(widest == 0 ? nil : room == nil ? min(natural, Table.widestAligned) : natural)
      least.append(column.kind == .name ? max(whole, min(natural, 8)) : natural)
      shortest.append(column.kind == .name ? max(whole, min(natural, 4)) : natural)
    }
    guard let room else { return widths }
    func width(_ widths: [Int?]) -> Int {
      let shown = widths.compactMap { $0 }
      return indent + shown.reduce(0, +) + Table.gap * max(0, shown.count - 1)
    }
    for (floor, lowest) in [(least, 2), (shortest, 1), (shortest, 0)] {
      while width(widths.indices.map { widths[$0] == nil ? nil : floor[$0] }) > room,
        let index = nextToLeave(widths, lowest)
      {
        widths[index] = nil
      }
    }
    // The widest name gives way.
    for floor in [least, shortest, [Int](repeating: 1, count: columns.count)] {
      while width(widths) > room {
        let names = widths.indices.filter { columns[$0].kind == .name && (widths[$0] ?? 0) > floor[$0] }
        guard let widest = names.max(by: { (widths[$0] ?? 0) < (widths[$1] ?? 0) }) else { break }
        widths[widest] = widths[widest].map { $0 - 1 }
      }
    }
    return widths
  }

  /// The column that leaves next, the highest first: the last one of those that have the same number.
  private func nextToLeave(_ widths: [Int?], _ lowest: Int) -> Int? {
    let present = widths.indices.filter { widths[$0] != nil }
    guard present.count > 1 else { return nil }
    return present.filter { columns[$0].leaves >= lowest }.max { columns[$0].leaves <= columns[$1].leaves }
  }

  private func line(_ row: [Cell], _ widths: [Int?], _ surface: Surface) -> String {
    var line = String(repeating: " ", count: indent)
    // Spaces are written only before something.
    var pending = 0
    for (index, cell) in row.enumerated() {
      guard let width = widths[index] else { continue }
      let text = surface.width == nil ? cell.text : Cells.cut(cell.text, to: width, mark: surface.cutMark)
      let free = max(0, width - Cells.width(of: text))
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
