import DaybookProtocol

extension RowReader {
  /// Whether a cell is one of the words by which programs call a total: the whole cell, so that “Total Body workout” is
  /// none.
  package func isTotal(_ field: String) -> Bool { trimmed(field)?.isTotal ?? false }

  /// Whether a cell says of which period it is the total, such as “Total per month”: nothing else is called so.
  package func isTotalOfPeriod(_ field: String) -> Bool { trimmed(field)?.isTotalOfPeriod ?? false }

  /// Notes why the row is ignored.
  package mutating func ignore(_ reason: TableIgnoredReason) { ignoredReason = reason }
}

extension String {
  /// Whether a cell's text is a word for a total, such as `TOTAL`, `Totals:`, `Summe` or `Total per month`.
  package var isTotal: Bool { totalWords != nil }

  /// Whether it is a total with its period.
  package var isTotalOfPeriod: Bool { totalWords?.contains { periodWords.contains($0) } ?? false }

  /// Its words, if they say total and nothing else.
  private var totalWords: [String]? {
    guard utf8.count <= 32 else { return nil }
    let marks: Set<Character> = [" ", ":", "=", "(", ")", "/", "-"]
    let words = TableHeader.key(self).split { marks.contains($0) }.map(String.init)
    guard words.contains(where: { sumWords.contains($0) }) else { return nil }
    return words.allSatisfy { sumWords.contains($0) || periodWords.contains($0) || otherWords.contains($0) }
      ? words : nil
  }
}

private let sumWords: Set<String> = [
  "total", "totals", "subtotal", "sum", "summe", "gesamt", "insgesamt", "gesamtsumme", "tagessumme", "wochensumme",
  "monatssumme", "jahressumme", "totaux", "somme", "totales", "suma", "totale", "somma", "totaal",
]

/// Words for the period of a total.
private let periodWords: Set<String> = [
  "day", "daily", "week", "weekly", "month", "monthly", "quarter", "quarterly", "year", "yearly", "annual", "tag",
  "woche", "monat", "jahr", "täglich", "wöchentlich", "monatlich", "jährlich", "tagessumme", "wochensumme",
  "monatssumme", "jahressumme", "jour", "semaine", "mois", "mensuel", "annuel", "día", "semana", "mes", "año",
  "mensual", "anual", "mese", "mensile", "anno", "annuale", "dag", "maand", "jaar",
]

/// Words beside these.
private let otherWords: Set<String> = [
  "grand", "sub", "overall", "volume", "cost", "costs", "amount", "per", "each", "of", "the", "for", "kosten", "pro",
  "im", "je", "général", "general", "générale", "par", "por", "al", "di", "het",
]
