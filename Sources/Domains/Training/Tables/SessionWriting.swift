import DaybookProtocol
import JSON
import Tables
import Training
import Values

/// Sessions as a table that is read again.
extension TableExport<WorkoutSession> {
  /// Rows for each session: one for each set, and for each part without any.
  package static func sessions(hasMark: Bool = false) -> TableExport {
    TableExport(header: SessionColumns.header, hasMark: hasMark) { session, writer in
      var rows = SessionRows(session)
      rows.write(&writer)
    }
  }
}

/// Writes the rows of a session. The last is ended by the caller.
private struct SessionRows {
  private let session: WorkoutSession
  /// Of each part that is open, its cells, and its details while they are not written.
  private var open: [(cells: [String], details: String)] = []
  private var isFirst = true

  init(_ session: WorkoutSession) { self.session = session }

  mutating func write(_ writer: inout TableWriter) {
    enter(session, .session)
    if session.modules.isEmpty { row([0, 0, 0, 0], &writer) }
    for (m, module) in session.modules.enumerated() {
      enter(module, .module)
      if module.exercises.isEmpty { row([m + 1, 0, 0, 0], &writer) }
      for (e, exercise) in module.exercises.enumerated() {
        enter(exercise, .exercise)
        if exercise.groups.isEmpty { row([m + 1, e + 1, 0, 0], &writer) }
        for (g, group) in exercise.groups.enumerated() {
          enter(group, .group)
          if group.sets.isEmpty { row([m + 1, e + 1, g + 1, 0], &writer) }
          for (s, set) in group.sets.enumerated() {
            enter(set.withoutComputed, .set)
            row([m + 1, e + 1, g + 1, s + 1], &writer)
          }
        }
      }
    }
  }

  /// Takes a part as the present one of its level; nothing of lower levels is open then.
  private mutating func enter(_ part: some JSONEncodable, _ level: SessionLevel) {
    open.removeSubrange(level.rawValue...)
    guard case .object(var object)? = try? JSONValue(json: part.json) else { return open.append(([], "")) }
    for member in SessionColumns.unwritten where level == .session { object[member] = nil }
    level.parts.map { object[$0] = nil }
    let cells = SessionColumns.byLevel[level.rawValue].map { column in
      let text = object.take(column.path)
      return column.kind == .text ? CellText.protected(text) : text
    }
    open.append((cells, String(decoding: JSONValue.object(object).json, as: UTF8.self)))
  }

  private mutating func row(_ place: [Int], _ writer: inout TableWriter) {
    if !isFirst { writer.endRow() }
    isFirst = false
    for level in SessionLevel.allCases {
      let cells = open.indices.contains(level.rawValue) ? open[level.rawValue].cells : []
      for index in SessionColumns.byLevel[level.rawValue].indices {
        writer.plain(cells.indices.contains(index) ? cells[index] : "")
      }
    }
    writer.plain(place.map(String.init).joined(separator: "."))
    for level in SessionLevel.allCases.map(\.rawValue) {
      writer.plain(open.indices.contains(level) ? open[level].details : "")
      if open.indices.contains(level) { open[level].details = "" }
    }
  }
}

extension JSONObject {
  /// The text of a member, which is taken out; empty when there is none. An object in which it was the last goes with it.
  fileprivate mutating func take(_ path: [String]) -> String {
    guard let first = path.first else { return "" }
    if path.count > 1, case .object(var inner)? = self[first] {
      let text = inner.take(Array(path.dropFirst()))
      self[first] = inner.members.isEmpty && !text.isEmpty ? nil : .object(inner)
      return text
    }
    let text: String
    switch self[first] {
    case .string(let value): text = value
    case .number(let value): text = value.lexeme
    case .bool(let value): text = value ? "true" : "false"
    default: return ""
    }
    self[first] = nil
    return text
  }
}

extension SetRecord {
  /// The same without the kilograms that follow from the weight.
  fileprivate var withoutComputed: SetRecord {
    var set = self
    if let actual, let kg = actual.kg, let weight = actual.weight,
      Loads.kilograms(weight, actual.weightUnit).map({ "\($0)" }) == "\(kg)"
    {
      set.actual?.kg = nil
    }
    return set
  }
}
