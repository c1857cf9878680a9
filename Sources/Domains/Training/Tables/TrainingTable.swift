import DaybookProtocol
import Tables

/// A row of a table of sets. After grouping, the first row of a session holds the session, and the others are parts of
/// it.
package enum TrainingDraft: Sendable, Equatable {
  /// A set or a note from another program.
  indirect case foreign(ImportedSetRow)
  /// A row of our own table.
  indirect case own(DaybookSetRow)
  indirect case session(SessionDraft)
  case part

  package var session: SessionDraft? { if case .session(let draft) = self { draft } else { nil } }
  var foreignRow: ImportedSetRow? { if case .foreign(let row) = self { row } else { nil } }
  var ownRow: DaybookSetRow? { if case .own(let row) = self { row } else { nil } }
}

extension ImportedRow<TrainingDraft> {
  /// The draft of the row, if it is not ignored or refused.
  package var draft: TrainingDraft? { if case .draft(let draft) = content { draft } else { nil } }
}

/// How to read a table of sets; nil members are detected.
package struct TrainingTableOptions: Sendable {
  /// The exporting program; nil or `auto` to detect it by the headers.
  package var format: TrainingTableFormat?
  package var scan = ScanOptions()
  /// The units of values without one.
  package var weightUnit: WeightUnit
  package var distanceUnit: DistanceUnit
  /// Whether exercises missing from the library are added to it.
  package var creates = false
  /// The day of the import; rows with a later day are refused.
  package var today: CivilDay
  /// The zone of the times in other programs' tables.
  package var zone: TimeZoneName
  /// The instant of a wall time, and the day it counts to.
  package var moment: @Sendable (CivilDay, Int) -> (instant: Instant, day: CivilDay)
  package var finder: ExerciseFinder
  /// The id derived from a key.
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

extension TrainingTableOptions {
  /// The instant at which a cell's time is; nil without a time.
  func instant(_ cell: CellDay) -> Instant? { cell.instant ?? cell.second.map { moment(cell.day, $0).instant } }
}

/// A table of sets.
package typealias TrainingTable = ImportedTable<KnownTrainingTable, TrainingDraft>

extension TrainingTable {
  /// Reads a table to import it, and assembles its sessions. `shouldContinue` gets the percentage done, and returns whether to
  /// continue.
  package static func read(
    _ bytes: [UInt8], _ options: TrainingTableOptions, limits: TableLimits = TableLimits(),
    shouldContinue: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> TrainingTable {
    let format = options.format == .auto ? nil : options.format
    let wanted = KnownTrainingTable.all.filter { format == nil || $0.format == format }
    var scan = options.scan
    scan.names = KnownNames("exercise") { [finder = options.finder] in finder.knows($0) }
    let text = try DecodedText.decode(bytes, scan, limits: limits)
    var table = try read(
      text, as: wanted, isStated: format != nil, scan, limits: limits, shouldContinue: shouldContinue
    ) {
      known, _ in
      TrainingDrafts(known, options)
    }
    let known: KnownTrainingTable = table.known
    try table.regroup { rows throws(TableRefusal) in
      // At 100 % of the rows; called before each session.
      let check = { () throws(TableRefusal) in if !shouldContinue(100) { throw .cancelled } }
      return known.format == .daybook
        ? try OwnSessions.grouped(rows, check) : try ForeignSessions(known, options).grouped(rows, check)
    }
    return table
  }

  /// The rows that hold a session.
  package var sessions: [ImportedRow<TrainingDraft>] { rows.filter { $0.draft?.session != nil } }

  /// The sessions of its rows.
  package var drafts: [SessionDraft] { rows.compactMap { $0.draft?.session } }

  /// The sets of its sessions.
  private var sets: some Sequence<SetRecord> {
    drafts.lazy.flatMap(\.session.modules).flatMap(\.exercises).flatMap(\.groups).flatMap(\.sets)
  }

  /// The number of sets in its sessions.
  package var setCount: Int { sets.reduce(0) { count, _ in count + 1 } }

  /// The unit of its first weight; nil without a weight.
  package var weightUnit: WeightUnit? {
    sets.lazy.compactMap(\.actual).first { $0.weight != nil }.map { $0.weightUnit ?? .kg }
  }

  /// The names of exercises missing from the library, in the order of the table.
  package var unknownExercises: [String] {
    var seen: Set<String> = []
    return drafts.flatMap(\.unknown).map(\.traits.name).filter { seen.insert(ExerciseNames.fold($0)).inserted }
  }
}

/// A session assembled from rows.
package struct SessionDraft: Sendable, Equatable {
  /// The session; its id and the instants of storing are set by the import.
  package var session: WorkoutSession
  /// Whether it comes from our own table, which has every member of a session.
  package var isOurs = false
  /// Its exercises that are missing from the library.
  package var unknown: [FoundExercise] = []
}

/// Reads the rows of a table as drafts.
struct TrainingDrafts: RowDrafts {
  private let known: KnownTrainingTable
  private let options: TrainingTableOptions
  private var own = DaybookSetRows()

  init(_ known: KnownTrainingTable, _ options: TrainingTableOptions) { (self.known, self.options) = (known, options) }

  mutating func draft(_ reader: inout RowReader) -> ImportedRow<TrainingDraft> {
    let draft: TrainingDraft?
    if known.format == .daybook {
      draft = own.row(&reader, options).map { .own($0) }
    } else {
      draft = ImportedSetRow.read(&reader, known, options).map { .foreign($0) }
    }
    guard reader.problems.isEmpty else { return ImportedRow(number: reader.row, content: .refused) }
    return ImportedRow(number: reader.row, content: draft.map { .draft($0) } ?? .ignored)
  }
}

extension RowReader {
  /// Records a refusal; `fields` maps the last name of its pointer to a column, where they differ.
  mutating func note(_ refusal: Refusal, fields: [String: String] = [:]) {
    let name = refusal.pointer.split(separator: "/").last.map(String.init)
    let field = name.map { fields[$0] ?? $0 }
    refuse(
      TableProblemKind(refusal.rule), field.flatMap { mapping.columns[$0] == nil ? nil : $0 }, refusal.message,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed)
  }
}

/// A row of a table of sets.
protocol SetRow {
  /// The line that it begins on.
  var line: Int { get }
}

/// The outcome of assembling a session from rows.
enum SessionOutcome<Row: SetRow> {
  case session(SessionDraft, id: EntityID? = nil, key: String = "")
  /// The rows have no set.
  case ignored
  /// The rows contradict each other or the rules, at `row`.
  case refused((index: Int, row: Row), Refusal)
}

extension [ImportedRow<TrainingDraft>] {
  /// Groups the rows by session: the first row of a session gets the draft, and the others become parts of it.
  ///
  /// - Parameters:
  ///   - check: Called before each session; throws once the table is no longer wanted.
  ///   - pick: The row that a draft holds.
  ///   - key: What identifies the session of a row.
  ///   - assemble: Assembles a session from its rows, in the order of the table.
  func grouped<Row: SetRow, Key: Hashable>(
    _ check: () throws(TableRefusal) -> Void, _ pick: (TrainingDraft) -> Row?, by key: (Row) -> Key,
    _ assemble: (Key, [(index: Int, row: Row)]) -> SessionOutcome<Row>
  ) throws(TableRefusal) -> (rows: Self, problems: [TableProblem]) {
    var groups: [Key: [(index: Int, row: Row)]] = [:]
    for (index, row) in enumerated() {
      if case .draft(let draft) = row.content, let set = pick(draft) {
        groups[key(set), default: []].append((index, set))
      }
    }
    var (grouped, problems) = (self, [TableProblem]())
    for (key, sets) in groups {
      try check()
      func mark(_ content: RowContent<TrainingDraft>) {
        for (index, _) in sets { grouped[index] = ImportedRow(number: self[index].number, content: content) }
      }
      switch assemble(key, sets) {
      case .session(let draft, let id, let key):
        mark(.draft(.part))
        let first = sets[0].index
        grouped[first] = ImportedRow(
          number: self[first].number, content: .draft(.session(draft)), id: id, identity: id == nil ? .key(key) : nil)
      case .ignored: mark(.ignored)
      case .refused(let entry, let reason):
        problems.append(TableProblem(reason, at: self[entry.index].number, line: entry.row.line))
        mark(.refused)
      }
    }
    return (grouped, problems)
  }
}

extension TableProblem {
  /// A problem of the session that a row belongs to.
  fileprivate init(_ refusal: Refusal, at row: Int, line: Int) {
    let place = refusal.pointer.isEmpty ? "" : " (\(refusal.pointer) of the session)"
    self.init(
      kind: TableProblemKind(refusal.rule), row: row, line: line, reason: refusal.message + place,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed)
  }
}
