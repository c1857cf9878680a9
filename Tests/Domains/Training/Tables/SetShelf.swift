import DaybookProtocol
import Tables
import Training

@testable import TrainingTables

/// An in-memory folder to import sets into.
struct SetShelf {
  static let instant = Instant(milliseconds: 1000)

  var sessions: [EntityID: WorkoutSession] = [:]
  /// The earlier versions of the sessions, oldest first.
  var formers: [EntityID: [WorkoutSession]] = [:]
  var exercises: [CustomExercise] = []

  /// The id derived from a key.
  static func identity(_ key: String) -> EntityID {
    var (high, low): (UInt64, UInt64) = (0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15)
    for byte in key.utf8 {
      high = (high ^ UInt64(byte)) &* 0x100_0000_01b3
      low = (low &+ UInt64(byte)) &* 0xff51_afd7_ed55_8ccd
      low ^= low >> 29
    }
    return EntityID(high: high & ~0xF000 | 0x8000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }

  /// Resolves names to built-in exercises and those of the folder.
  func finder(_ stated: [String: String] = [:]) -> ExerciseFinder {
    let library = TrainingLibrary(customs: exercises)
    let tools = Dictionary(
      uniqueKeysWithValues: EquipmentCatalogue.all(.defaults(.metric), at: SetShelf.instant).map { ($0.id, $0.name) })
    return ExerciseFinder(
      stated: stated.compactMapValues { library.exercise(named: $0) }, library: library, equipment: tools)
  }

  func read(
    _ text: String, _ change: (inout TrainingTableOptions) -> Void = { _ in },
    shouldContinue: (Int) -> Bool = { _ in true }
  ) throws -> TrainingTable {
    var options = TrainingTableOptions(
      weightUnit: .kg, distanceUnit: .km, today: CivilDay(year: 2026, month: 1, day: 5) ?? CivilDay(daysSinceEpoch: 0),
      zone: .utc, moment: { (TimeZoneRules.utc.instant($0, secondOfDay: $1), $0) }, finder: finder(),
      identity: { SetShelf.identity($0) })
    change(&options)
    return try TrainingTable.read(Array(text.utf8), options, shouldContinue: shouldContinue)
  }

  /// Imports a table, and returns the outcomes of its sessions.
  @discardableResult
  mutating func take(
    _ text: String, replaces: Bool = false, _ change: (inout TrainingTableOptions) -> Void = { _ in }
  ) throws -> TableOutcomes {
    var creates = false
    let table = try read(text) { options in
      change(&options)
      creates = options.creates
    }
    var plan = TablePlan(
      table.sessions,
      SessionTarget { _ in
        80
      } earlier: { [formers] session in
        let earlier = formers[session.id] ?? []
        return earlier.count + 1 == session.version ? earlier : nil
      }, identity: { SetShelf.identity($0) }, links: { _ in [] })
    for (id, session) in sessions { plan.take(id, day: session.day) { session } }
    plan.compare {}
    if creates { exercises += table.newExercises(plan.outcomes, replaces: replaces, at: SetShelf.instant) }
    var (changed, former) = (sessions, formers)
    try plan.visitChanges(replaces: replaces, at: SetShelf.instant) { refusal, _ in
      throw refusal
    } _: { change in
      switch change {
      case .add(let session), .put(let session):
        if let old = changed.updateValue(session, forKey: session.id) { former[session.id, default: []].append(old) }
      case .link: break
      }
    }
    (sessions, formers) = (changed, former)
    return plan.outcomes
  }

  /// The export of all sessions.
  var table: String {
    var table = TableExport.sessions()
    for session in sessions.values.sorted(by: { ($0.day, $0.startedAt, $0.id) < ($1.day, $1.startedAt, $1.id) }) {
      table.append(session)
    }
    return String(decoding: table.take(), as: UTF8.self)
  }

  /// The sessions in short notation, oldest first.
  var short: [String] {
    sessions.values.sorted { ($0.startedAt, $0.name) < ($1.startedAt, $1.name) }.map(\.short)
  }
}

extension WorkoutSession {
  /// `Push 2026-01-02T18:00:00.000Z 2700 s: Bench Press w40kg×10 60kg×8 | …`.
  var short: String {
    let exercises = modules.flatMap(\.exercises).map { exercise in
      ([exercise.traits.name] + exercise.groups.flatMap(\.sets).map(\.short)).joined(separator: " ")
    }
    return "\(name) \(startedAt) \(seconds) s: \(exercises.joined(separator: " | "))"
  }
}

extension SetRecord {
  /// `w40kg×10@8`, `90s 5km`.
  var short: String {
    let values = actual ?? SetValues()
    let load = values.weight.map { "\($0)\(values.weightUnit?.rawValue ?? "kg")" } ?? ""
    let parts = [
      load + (values.reps.map { "×\($0)" } ?? ""), values.seconds.map { "\($0)s" },
      values.distance.map { "\($0)\(values.distanceUnit?.rawValue ?? "")" }, values.rpe.map { "@\($0)" },
    ]
    return (kind.map { "\($0.rawValue):" } ?? "")
      + parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "/")
  }
}
