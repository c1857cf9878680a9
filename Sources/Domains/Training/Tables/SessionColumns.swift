import DaybookProtocol
import JSON
import Tables
import Values

/// How a member stands in a cell.
enum CellKind: Sendable {
  /// A free text.
  case text
  /// A name of ours, an id, an instant.
  case word
  /// A number that JSON has as a text.
  case decimal
  case whole
  case flag
}

/// A part of a session that rows of our own table tell of, from the whole down to the set.
enum SessionLevel: Int, CaseIterable, Sendable {
  case session, module, exercise, group, set

  /// The column with the members that have none of their own, as JSON; on the first row of each part.
  var details: String {
    switch self {
    case .session: "sessionDetails"
    case .module: "moduleDetails"
    case .exercise: "exerciseDetails"
    case .group: "groupDetails"
    case .set: "setDetails"
    }
  }

  /// The member with the parts of it; those are rows of their own.
  var parts: String? {
    switch self {
    case .session: "modules"
    case .module: "exercises"
    case .exercise: "groups"
    case .group: "sets"
    case .set: nil
    }
  }

  /// What it is where a row does not say.
  func usual(_ id: EntityID) -> [(member: String, value: JSONValue)] {
    let named: [(String, JSONValue)] = [("id", .string("\(id)"))]
    switch self {
    case .session: return named + [("version", .number(JSONNumber(1)))]
    case .module: return named + [("kind", .string("strength"))]
    case .exercise, .group, .set: return named
    }
  }
}

/// A column of our own table with a member of a part.
struct SessionColumn: Sendable {
  /// Its header.
  let field: String
  let level: SessionLevel
  /// The names of the member, from the part inwards: one or two.
  let path: [String]
  let kind: CellKind

  init(_ field: String, _ level: SessionLevel, _ path: String, _ kind: CellKind) {
    (self.field, self.level, self.kind) = (field, level, kind)
    self.path = path.split(separator: "/").map(String.init)
  }
}

/// The columns of our own table of sets. What has none of its own goes into JSON, so that nothing of a session is lost.
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

  /// The column with the numbers of the module, the exercise, the group and the set, from 1; 0 where there is none.
  static let place = "place"

  /// The headers, in order.
  static let header = all.map(\.field) + [place] + SessionLevel.allCases.map(\.details)

  static let fields = header.map { TableField($0, [$0], isRequired: ["session", "day", place].contains($0)) }

  /// Members of a session that no table has: when it was stored.
  static let unwritten = ["createdAt", "updatedAt"]
}
