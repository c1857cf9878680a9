import DaybookProtocol
import Tables
import Training

/// A row of our own table: a set, or a part of a session without sets, with the parts that start on this row.
package struct DaybookSetRow: Sendable, Equatable {
  /// The line that it begins on.
  let line: Int
  /// The id of the session.
  let id: EntityID
  /// The numbers of the module, the exercise, the group and the set, from 1; 0 for none.
  let place: [Int]
  var session: WorkoutSession?
  var module: SessionModule?
  var exercise: SessionExercise?
  var group: SessionGroup?
  var set: SetRecord?
}

/// Reads rows of our own table.
struct DaybookSetRows {
  /// The session and the place of the previous row.
  private var previous: (id: EntityID, place: [Int])?

  /// Reads a row; nil when it has a problem.
  mutating func row(_ reader: inout RowReader, _ options: TrainingTableOptions) -> DaybookSetRow? {
    guard let id = reader.id("session") else {
      if reader.problems.isEmpty { reader.refuse(.missing, "session", "it is empty", allowed: "the id of a session") }
      return nil
    }
    guard let place = DaybookSetRows.place(&reader) else { return nil }
    var row = DaybookSetRow(line: reader.line, id: id, place: place)
    for level in SessionLevel.allCases where level == .session || place[level.rawValue - 1] > 0 {
      guard isNew(level, id, place) || reader.raw(level.details) != nil else { continue }
      switch level {
      case .session: row.session = part(level, row, &reader, options)
      case .module: row.module = part(level, row, &reader, options)
      case .exercise: row.exercise = part(level, row, &reader, options)
      case .group: row.group = part(level, row, &reader, options)
      case .set: row.set = part(level, row, &reader, options)
      }
    }
    if let actual = row.set?.actual {
      do throws(Refusal) { row.set?.actual = try actual.normalized() } catch { reader.note(error) }
    }
    guard reader.problems.isEmpty else { return nil }
    previous = (id, place)
    return row
  }

  /// Whether a row starts a new part at a level.
  private func isNew(_ level: SessionLevel, _ id: EntityID, _ place: [Int]) -> Bool {
    guard let previous, previous.id == id else { return true }
    return level == .set || !previous.place.prefix(level.rawValue).elementsEqual(place.prefix(level.rawValue))
  }

  private static func place(_ reader: inout RowReader) -> [Int]? {
    let numbers = (reader.raw(SessionColumns.place) ?? "").split(separator: ".", omittingEmptySubsequences: false)
      .map { part in part.count <= 6 ? Int(part) ?? -1 : -1 }
    let end = numbers.firstIndex(of: 0) ?? 4
    guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }), numbers[end...].allSatisfy({ $0 == 0 }) else {
      reader.refuse(
        .malformed, SessionColumns.place, "it is not a place in a session",
        allowed: "the numbers of the module, the exercise, the group and the set, as 1.2.1.3")
      return nil
    }
    return numbers
  }

  /// Decodes a part from its details and cells; nil when they have a problem.
  private func part<Part: JSONDecodable>(
    _ level: SessionLevel, _ row: DaybookSetRow, _ reader: inout RowReader, _ options: TrainingTableOptions
  ) -> Part? {
    var object = JSONObject()
    if let text = reader.raw(level.details) {
      guard case .object(let details)? = try? JSONValue(json: Array(text.utf8)) else {
        reader.refuse(.malformed, level.details, "it is not a JSON object", allowed: "a JSON object, or nothing")
        return nil
      }
      object = details
    }
    for column in SessionColumns.byLevel[level.rawValue] {
      guard let value = DaybookSetRows.value(of: column, &reader) else { continue }
      object.put(value, at: column.path)
    }
    let names = ["session", "\(row.id)"] + row.place.prefix(level.rawValue).map(String.init)
    for (member, value) in level.defaults(options.identity(names.joined(separator: "\u{1F}")))
    where object[member] == nil {
      object[member] = value
    }
    if level == .exercise, case .object(let traits)? = object["traits"], traits["kind"] == nil {
      object.put(.string("strength"), at: ["traits", "kind"])
    }
    if level == .set, object["number"] == nil { object["number"] = .number(JSONNumber(row.place[3])) }
    if let parts = level.parts { object[parts] = .array([]) }
    for member in SessionColumns.unwritten where level == .session {
      object[member] = .string("1970-01-01T00:00:00.000Z")
    }
    guard reader.problems.isEmpty else { return nil }
    let text = JSONValue.object(object).json
    do throws(JSONError) { return try Part(json: text) } catch {
      let pointer = text.withUnsafeBytes { error.pointer(in: $0) }
      let path = (pointer.split(separator: "/").map(String.init) + (error.member.map { [$0] } ?? []))
      let column = SessionColumns.byLevel[level.rawValue].first { Array(path.prefix($0.path.count)) == $0.path }
      reader.refuse(
        error.code == .missingMember ? .missing : .malformed, column?.field ?? level.details,
        column == nil ? "“\(path.joined(separator: "/"))” is wrong: \(error)" : "\(error)", allowed: error.expected)
      return nil
    }
  }

  /// The value of a cell; nil when it is empty or refused.
  private static func value(of column: SessionColumn, _ reader: inout RowReader) -> JSONValue? {
    let bounds = Decimal(-1_000_000_000)...Decimal(1_000_000_000)
    switch column.kind {
    case .text:
      return reader.verbatim(column.field).map { .string(CellText.restored($0)) }
    case .word where column.field == "day": return reader.day(column.field).map { .string("\($0)") }
    case .word: return reader.raw(column.field).map { .string($0) }
    case .decimal:
      return reader.number(column.field, in: bounds, allowed: "a number") { $0 }.map { .string("\($0)") }
    case .whole:
      let number = reader.number(column.field, in: bounds, allowed: "a whole number") {
        $0.normalized.scale == 0 ? $0.normalized : nil
      }
      return number?.units(ofScale: 0).map { .number(JSONNumber(Int($0))) }
    case .flag: return reader.flag(column.field).map { .bool($0) }
    }
  }
}

extension JSONObject {
  /// Sets the member at a path, creating the objects on it.
  fileprivate mutating func put(_ value: JSONValue, at path: [String]) {
    guard path.count > 1 else { return self[path[0]] = value }
    var inner = JSONObject()
    if case .object(let there)? = self[path[0]] { inner = there }
    inner.put(value, at: Array(path.dropFirst()))
    self[path[0]] = .object(inner)
  }
}

extension DaybookSetRow: SetRow {}

/// Assembles sessions from rows of our own table.
enum OwnSessions {
  private typealias Row = (index: Int, row: DaybookSetRow)

  /// Groups rows to sessions; `check` is called before each session.
  static func grouped(
    _ rows: [ImportedRow<TrainingDraft>], _ check: () throws(TableRefusal) -> Void
  ) throws(TableRefusal) -> (rows: [ImportedRow<TrainingDraft>], problems: [TableProblem]) {
    try rows.grouped(check, \.ownRow, by: \.id) { _, parts in
      session(parts.sorted { $0.row.place.lexicographicallyPrecedes($1.row.place) })
    }
  }

  /// The session of rows in the order of their places.
  private static func session(_ rows: [Row]) -> SessionOutcome<DaybookSetRow> {
    var last = [0, 0, 0, 0]
    func orphan(_ row: Row) -> SessionOutcome<DaybookSetRow> {
      .refused(
        row,
        Refusal(
          "", .missing, "the part that contains it is missing", allowed: "the details of each part on its first row"))
    }
    guard var session = rows[0].row.session else { return orphan(rows[0]) }
    for (number, entry) in rows.enumerated() {
      let (row, place) = (entry.row, entry.row.place)
      if number > 0, place == last {
        return .refused(
          entry, Refusal("", .repeated, "an earlier row has the same place", allowed: "each place once"))
      }
      if place[0] > 0, place[0] != last[0] {
        guard let module = row.module else { return orphan(entry) }
        session.modules.append(module)
      }
      let m = session.modules.count - 1
      if place[1] > 0, place[..<2] != last[..<2] {
        guard m >= 0, let exercise = row.exercise else { return orphan(entry) }
        session.modules[m].exercises.append(exercise)
      }
      let e = m < 0 ? -1 : session.modules[m].exercises.count - 1
      if place[2] > 0, place[..<3] != last[..<3] {
        guard e >= 0, let group = row.group else { return orphan(entry) }
        session.modules[m].exercises[e].groups.append(group)
      }
      if place[3] > 0 {
        guard e >= 0, let set = row.set, let g = session.modules[m].exercises[e].groups.indices.last else {
          return orphan(entry)
        }
        session.modules[m].exercises[e].groups[g].sets.append(set)
      }
      last = place
    }
    do throws(Refusal) {
      return .session(SessionDraft(session: try session.normalized(), isOurs: true), id: rows[0].row.id)
    } catch { return .refused(rows[0], error) }
  }
}
