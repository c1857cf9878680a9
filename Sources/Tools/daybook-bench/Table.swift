import Foundation
import JSON

/// All figures, for people and for programs.
struct Table {
  let machine: Machine
  var rows: [Row] = []
  /// What else there is to know, a line each.
  var remarks: [String] = []

  private static let headings = ["measure", "value", "anchor", "ratio", "goal", "verdict"]

  /// Why measures could not be taken, each reason once.
  private var failures: [String] {
    var measures: [String: [String]] = [:]
    var reasons: [String] = []
    for row in rows {
      guard let failure = row.failure else { continue }
      let reason = "\(row.verdict): \(failure.message)"
      if measures[reason] == nil { reasons.append(reason) }
      measures[reason, default: []].append(row.measure)
    }
    return reasons.map { "\((measures[$0] ?? []).joined(separator: "; ")) – \($0)" }
  }

  /// The figures in columns.
  var text: String {
    let cells = rows.map(Table.cells)
    let widths = Table.headings.indices.map { column in
      ([Table.headings] + cells).map { $0[column].count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return padded.joined(separator: " | ")
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "-|-")
    let place = machine.cpu.map { "client and server on CPU \($0)" } ?? "not pinned to a CPU"
    let load = String(format: "%.2f", machine.load)
    let files = machine.fileSystem.map { ", files on \($0)" } ?? ""
    let top = "\(machine.processor), \(machine.system)\(files), \(place), load \(load) before\n"
    let met = rows.filter { $0.verdict == "met" }.count
    let missed = rows.filter { $0.verdict == "missed" }.count
    let end = "\(met) met, \(missed) missed\n"
    let remarks = (remarks + failures).map { $0 + "\n" }.joined()
    return top + ([line(Table.headings), rule] + cells.map(line)).joined(separator: "\n") + "\n" + remarks + end
  }

  /// A row's texts, one for each heading.
  private static func cells(_ row: Row) -> [String] {
    let value = row.value.map { "\(number($0)) \(row.unit)" }
    let anchor = row.anchor.map { "\(number($0)) (\(row.anchorName))" }
    let ratio = row.ratio.map { "\(number($0))×" }
    let goal = row.goal.map { Table.goal($0, row.unit) }
    let missing = row.anchorName.isEmpty ? "" : "–"
    return [row.measure, value ?? "–", anchor ?? missing, ratio ?? "", goal ?? "", row.verdict]
  }

  /// The figures as a JSON text.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("machine")
    writer.beginObject()
    writer.name("processor")
    writer.write(machine.processor)
    writer.name("system")
    writer.write(machine.system)
    writer.name("fileSystem")
    if let fileSystem = machine.fileSystem { writer.write(fileSystem) } else { writer.writeNull() }
    writer.name("cpu")
    if let cpu = machine.cpu { writer.write(cpu) } else { writer.writeNull() }
    writer.name("load")
    writer.write(machine.load)
    writer.endObject()
    writer.name("rows")
    writer.beginArray()
    for row in rows {
      writer.element()
      Table.write(row, to: &writer)
    }
    writer.endArray()
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
    return writer.bytes
  }

  private static func write(_ row: Row, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("measure")
    writer.write(row.measure)
    writer.name("unit")
    writer.write(row.unit)
    writer.name("value")
    if let value = row.value { writer.write(value) } else { writer.writeNull() }
    if let failure = row.failure {
      writer.name("verdict")
      writer.write(row.verdict)
      writer.name("reason")
      writer.write(failure.message)
    }
    if !row.anchorName.isEmpty {
      writer.name("anchorName")
      writer.write(row.anchorName)
    }
    if let anchor = row.anchor {
      writer.name("anchor")
      writer.write(anchor)
    }
    if let ratio = row.ratio {
      writer.name("ratio")
      writer.write(ratio)
    }
    if let goal = row.goal {
      writer.name("goal")
      writer.write(Table.goal(goal, row.unit))
      writer.name("verdict")
      writer.write(row.verdict)
    }
    writer.endObject()
  }

  /// A goal in few signs.
  private static func goal(_ goal: Goal, _ unit: String) -> String {
    switch goal {
    case .atMost(let limit): "≤ \(number(limit)) \(unit)"
    case .atLeast(let limit): "≥ \(number(limit)) \(unit)"
    case .ratioAtMost(let limit): "≤ \(number(limit))×"
    case .ratioAtLeast(let limit): "≥ \(number(limit))×"
    }
  }

  /// A number with about three digits that matter.
  private static func number(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1000 { return String(Int(value)) }
    switch abs(value) {
    case ..<10: return String(format: "%.2f", value)
    case ..<100: return String(format: "%.1f", value)
    default: return String(format: "%.0f", value)
    }
  }
}
