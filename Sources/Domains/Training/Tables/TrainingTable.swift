import CivilTime
import DaybookProtocol
import Tables
import Values

/// The reading of a row of a table of sets. After grouping, the first row of a session has the session and the others are parts of it.
package enum TrainingDraft: Sendable, Equatable {
  /// A set of another program, or a note of it.
  indirect case row(ForeignRow)
  /// A row of our own.
  indirect case ours(OwnRow)
  indirect case session(SessionDraft)
  case part
}

/// What a caller says of a table of sets, and what is stored; what is nil is found out.
package struct TrainingTableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: TrainingTableFormat?
  package var scan = ScanOptions()
  /// The units of what says none.
  package var weightUnit: WeightUnit
  package var distanceUnit: DistanceUnit
  /// Whether exercises that the library does not have are added to it.
  package var creates = false
  /// The day it is read on: nothing is later.
  package var today: CivilDay
  /// The zone that the tables of other programs were written in.
  package var zone: TimeZoneName
  /// The instant at which a clock on the wall shows a second of a day, and the day that it counts to.
  package var moment: @Sendable (CivilDay, Int) -> (instant: Instant, day: CivilDay)
  package var finder: ExerciseFinder
  /// The identity that follows from a key.
  package var identity: @Sendable (String) -> EntityID

  package init(
    weightUnit: WeightUnit, distanceUnit: DistanceUnit, today: CivilDay, zone: TimeZoneName,
    moment: @escaping @Sendable (CivilDay, Int) -> (instant: Instant, day: CivilDay), finder: ExerciseFinder,
    identity: @escaping @Sendable (String) -> EntityID
  ) {
    (self.weightUnit, self.distanceUnit, self.today, self.zone) = (weightUnit, distanceUnit, today, zone)
    (self.moment, self.finder, self.identity) = (moment, finder, identity)
  }
}

/// A table of sets.
package typealias TrainingTable = ImportedTable<KnownTrainingTable, TrainingDraft>

extension TrainingTable {
  /// Reads a table in order to import it, and puts its rows together to sessions. `goesOn` is told the percentage, and says whether the
  /// table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: TrainingTableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> TrainingTable {
    let format = options.format == .auto ? nil : options.format
    let wanted = KnownTrainingTable.all.filter { format == nil || $0.format == format }
    var table = try read(bytes, as: wanted, isStated: format != nil, options.scan, limits: limits, goesOn: goesOn) {
      TrainingDrafts($0, $1, options)
    }
    let known: KnownTrainingTable = table.known
    try table.regroup { rows throws(TableRefusal) in
      // All rows are read; each session is one more step.
      let check = { () throws(TableRefusal) in if !goesOn(100) { throw .cancelled } }
      return known.format == .daybook
        ? try OwnSessions.grouped(rows, check) : try ForeignSessions(known, options).grouped(rows, check)
    }
    return table
  }

  /// The rows that are sessions.
  package var sessions: [ImportedRow<TrainingDraft>] {
    rows.filter { row in if case .draft(.session) = row.content { true } else { false } }
  }

  /// The sessions that its rows are.
  package var drafts: [SessionDraft] {
    rows.compactMap { row in if case .draft(.session(let draft)) = row.content { draft } else { nil } }
  }

  /// The sets of its sessions.
  private var sets: some Sequence<SetRecord> {
    drafts.lazy.flatMap(\.session.modules).flatMap(\.exercises).flatMap(\.groups).flatMap(\.sets)
  }

  /// How many sets its sessions have.
  package var setCount: Int { sets.reduce(0) { count, _ in count + 1 } }

  /// The unit of its first weight; nil when it has none.
  package var weightUnit: WeightUnit? {
    sets.lazy.compactMap(\.actual).first { $0.weight != nil }.map { $0.weightUnit ?? .kg }
  }

  /// Names of exercises that the library does not have, in the order of the table.
  package var unknownExercises: [String] {
    var seen: Set<String> = []
    return drafts.flatMap(\.unknown).map(\.traits.name).filter { seen.insert(ExerciseNames.fold($0)).inserted }
  }
}

/// A session as rows of a table have it.
package struct SessionDraft: Sendable, Equatable {
  /// The session; when it was stored and under which identity is filled in later.
  package var session: WorkoutSession
  /// Whether the rows are ours, with all that there is of a session.
  package var isOurs = false
  /// Exercises of it that the library does not have.
  package var unknown: [FoundExercise] = []
}

/// Makes drafts out of the rows of a table.
struct TrainingDrafts: RowDrafts {
  private let known: KnownTrainingTable
  private let options: TrainingTableOptions
  private var own: OwnRows

  init(_ known: KnownTrainingTable, _ scanned: ScannedTable, _ options: TrainingTableOptions) {
    (self.known, self.options) = (known, options)
    own = OwnRows(scanned.mapping)
  }

  mutating func draft(_ reader: inout RowReader) -> ImportedRow<TrainingDraft> {
    let draft: TrainingDraft?
    if known.format == .daybook {
      draft = own.row(&reader, options).map { .ours($0) }
    } else {
      draft = ForeignRow.read(&reader, known, options).map { .row($0) }
    }
    guard reader.problems.isEmpty else { return ImportedRow(number: reader.row, content: .refused) }
    return ImportedRow(number: reader.row, content: draft.map { .draft($0) } ?? .ignored)
  }
}

extension RowReader {
  /// Notes what a rule refuses; `fields` are those that pointers lead to under other names.
  mutating func note(_ refusal: Refusal, fields: [String: String] = [:]) {
    let name = refusal.pointer.split(separator: "/").last.map(String.init)
    let field = name.map { fields[$0] ?? $0 }
    refuse(
      TableProblemKind(refusal.rule), field.flatMap { mapping.columns[$0] == nil ? nil : $0 }, refusal.message,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed)
  }
}

extension TableProblem {
  /// What is wrong with the session that begins with a row, or belongs to it.
  init(_ refusal: Refusal, at row: Int, line: Int) {
    let place = refusal.pointer.isEmpty ? "" : " (\(refusal.pointer) of the session)"
    self.init(
      kind: TableProblemKind(refusal.rule), row: row, line: line, reason: refusal.message + place,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed)
  }
}
