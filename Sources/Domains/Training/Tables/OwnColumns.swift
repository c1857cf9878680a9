import DaybookProtocol
import Tables
import Training

/// The form of a member in a cell.
enum CellKind: Sendable {
  /// A free text.
  case text
  /// A constant of the protocol, an id or an instant.
  case word
  /// A number that is a string in JSON.
  case decimal
  case whole
  case flag
}

/// The levels of a session in our own table.
enum SessionLevel: Int, CaseIterable, Sendable {
  case session, module, exercise, group, set

  /// The column with the members that have no column of their own, as JSON; on the first row of each part.
  var details: String {
    switch self {
    case .session: "sessionDetails"
    case .module: "moduleDetails"
    case .exercise: "exerciseDetails"
    case .group: "groupDetails"
    case .set: "setDetails"
    }
  }

  /// The member with the next level's parts, which have rows of their own.
  var parts: String? {
    switch self {
    case .session: "modules"
    case .module: "exercises"
    case .exercise: "groups"
    case .group: "sets"
    case .set: nil
    }
  }

  /// The defaults of members that a row omits.
  func defaults(_ id: EntityID) -> [(member: String, value: JSONValue)] {
    let named: [(String, JSONValue)] = [("id", .string("\(id)"))]
    switch self {
    case .session: return named + [("version", .number(JSONNumber(1)))]
    case .module: return named + [("kind", .string("strength"))]
    case .exercise, .group, .set: return named
    }
  }
}

/// A column of our own table, for a member of a part.
struct SessionColumn: Sendable {
  /// Its header.
  let field: String
  let level: SessionLevel
  /// The path of the member within the part: one or two names.
  let path: [String]
  let kind: CellKind

  init(_ field: String, _ level: SessionLevel, _ path: String, _ kind: CellKind) {
    (self.field, self.level, self.kind) = (field, level, kind)
    self.path = path.split(separator: "/").map(String.init)
  }
}

/// The columns of our own table of sets. Members without a column are written as JSON, so that nothing of a session is
/// lost.
enum SessionColumns {
  static let all: [SessionColumn] = [
    SessionColumn("session", .session, "id", .word), SessionColumn("day", .session, "day", .word),
    SessionColumn("zone", .session, "zone", .word), SessionColumn("startedAt", .session, "startedAt", .word),
    SessionColumn("endedAt", .session, "endedAt", .word), SessionColumn("seconds", .session, "seconds", .whole),
    SessionColumn("name", .session, "name", .text), SessionColumn("module", .module, "name", .text),
    SessionColumn("exercise", .exercise, "traits/name", .text), SessionColumn("set", .set, "number", .whole),
    SessionColumn("side", .set, "side", .word), SessionColumn("kind", .set, "kind", .word),
    SessionColumn("weight", .set, "actual/weight", .decimal),
    SessionColumn("weightUnit", .set, "actual/weightUnit", .word), SessionColumn("reps", .set, "actual/reps", .whole),
    SessionColumn("setSeconds", .set, "actual/seconds", .whole),
    SessionColumn("distance", .set, "actual/distance", .decimal),
    SessionColumn("distanceUnit", .set, "actual/distanceUnit", .word),
    SessionColumn("rpe", .set, "actual/rpe", .decimal),
    SessionColumn("rir", .set, "actual/rir", .whole), SessionColumn("done", .set, "done", .flag),
    SessionColumn("at", .set, "at", .word),
  ]

  static let byLevel: [[SessionColumn]] = SessionLevel.allCases.map { level in all.filter { $0.level == level } }

  /// The column with the numbers of the module, the exercise, the group and the set, from 1; 0 for none.
  static let place = "place"

  /// The headers, in order.
  static let header = all.map(\.field) + [place] + SessionLevel.allCases.map(\.details)

  static let fields = header.map { TableField($0, [$0], isRequired: ["session", "day", place].contains($0)) }

  /// The members of a session that are not written: when it was stored.
  static let unwritten = ["createdAt", "updatedAt"]
}

/// Exports sessions as a table that can be imported again.
extension TableExport<WorkoutSession> {
  /// Each session becomes one row per set, and one per part without sets.
  package static func sessions(hasMark: Bool = false) -> TableExport {
    TableExport(header: SessionColumns.header, hasMark: hasMark) { session, writer in
      var rows = SessionRows(session)
      rows.write(&writer)
    }
  }
}

/// Writes the rows of a session, without the end of the last one.
private struct SessionRows {
  private let session: WorkoutSession
  /// The cells of each open part, and its details until they are written.
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

  /// Opens a part at its level, and closes all parts below.
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
  /// Removes the member at a path and returns its text, empty if there is none. Removes an object together with its
  /// last member.
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
  /// The set without kilograms that follow from its weight.
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
