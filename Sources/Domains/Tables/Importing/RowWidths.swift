/// Whether the rows of a table have as many cells as its header.
///
/// A header or a row may end with a delimiter, behind which there is no cell. Where the header ends with one, a row that has
/// just as many cells and an empty last one may have that cell, or lack it and end with a delimiter too: the other rows
/// decide, and where they cannot, the row lacks it.
struct RowWidths: Sendable {
  /// The number of columns.
  let headers: Int
  /// Whether the header ends with a delimiter.
  let hasTail: Bool
  private var someEnd = false
  private var someEndNot = false

  init(headers: Int, hasTail: Bool) { (self.headers, self.hasTail) = (headers, hasTail) }

  /// Whether a row whose last cell is empty may lack a cell. Other rows of the same width prove that it does not.
  mutating func isOpen(_ row: CellRow) -> Bool {
    guard hasTail, row.count >= headers else { return false }
    if row.count > headers { someEnd = true }
    guard row.count == headers else { return false }
    if !row.isEmpty(row.count - 1) { someEndNot = true }
    return row.isEmpty(row.count - 1)
  }

  /// The cells of a row, without empty ones beyond the header.
  func count(of row: CellRow) -> Int {
    var count = row.count
    while count > headers, row.isEmpty(count - 1) { count -= 1 }
    return count
  }

  /// Whether open rows are whole.
  var arePlain: Bool { someEndNot && !someEnd }
}
