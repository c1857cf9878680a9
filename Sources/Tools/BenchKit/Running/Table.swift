import Foundation

/// All figures, as text and JSON.
struct Table: Encodable {
  let machine: Machine
  var rows: [Row] = []
  /// Remarks, a line each.
  var remarks: [String] = []

  private static let headings = ["measure", "value", "before", "anchor", "ratio", "goal", "verdict"]

  /// The reasons for failed measures, each once.
  private var failures: [String] {
    let failed = rows.filter { $0.reason != nil }
    let reasons = failed.map { "\($0.verdict ?? ""): \($0.reason ?? "")" }
    return Set(reasons).sorted().map { reason in
      let names = zip(failed, reasons).filter { $0.1 == reason }.map(\.0.measure)
      return "\(names.joined(separator: "; ")) – \(reason)"
    }
  }

  /// The figures in columns; an earlier build has one only if it was measured.
  var text: String {
    var lines = [Table.headings] + rows.map(\.cells)
    if rows.allSatisfy({ $0.before == nil }) { for index in lines.indices { lines[index].remove(at: 2) } }
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    lines.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
    let body = lines.map { line in
      zip(line, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: " | ")
    }
    let (met, missed) = (rows.filter { $0.verdict == "met" }.count, rows.filter { $0.verdict == "missed" }.count)
    return ([machine.text] + body + remarks + failures + ["\(met) met, \(missed) missed", ""]).joined(separator: "\n")
  }

  /// The figures as a JSON text.
  var json: Data? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try? encoder.encode(self)
  }
}
