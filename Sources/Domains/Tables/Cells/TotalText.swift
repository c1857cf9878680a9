import DaybookProtocol

extension RowReader {
  /// Whether a cell is one of the words by which programs call a total: the whole cell, so that “Total Body workout” is
  /// none.
  package func isTotal(_ field: String) -> Bool { trimmed(field)?.isTotal ?? false }

  /// Notes why the row is ignored.
  package mutating func ignore(_ reason: TableIgnoredReason) { ignoredReason = reason }
}

extension String {
  /// Whether a cell's text is a word for a total, such as `TOTAL`, `Totals:` or `Summe`.
  package var isTotal: Bool {
    guard utf8.count <= 24 else { return false }
    var key = TableHeader.key(self)
    while let last = key.last, last == ":" || last == "=" || last == " " { key.removeLast() }
    return totalWords.contains(key)
  }
}

private let totalWords: Set<String> = [
  "total", "totals", "grand total", "subtotal", "sub total", "daily total", "daily totals", "day total", "sum",
  "total volume", "overall total", "summe", "gesamt", "insgesamt", "gesamtsumme", "tagessumme", "totaux",
  "total général", "somme", "totales", "suma", "total general", "totale", "somma", "totaal",
]
