import DaybookProtocol
import FileStoreTesting
import Tables
import Testing
import Training

@testable import TrainingTables

@Suite("Our own table of sets")
struct SetRoundTripTests {
  private static let parts = [
    ",", "\"", "\n", "\r\n", "🍛", "ü", "=", "+", "-", "@", "\t", "'", " ", "a", "1", ";", "{",
  ]

  private static func text(_ random: inout SeededGenerator) -> String {
    (0...random.below(6)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  private static func maybe<Value>(
    _ random: inout SeededGenerator, _ value: (inout SeededGenerator) -> Value
  ) -> Value? {
    random.once(in: 2) ? value(&random) : nil
  }

  private static func id(_ random: inout SeededGenerator) -> EntityID {
    EntityID(randomHigh: random.next(), randomLow: random.next())
  }

  private static func amount(_ random: inout SeededGenerator) -> Decimal {
    Decimal(significand: Int64(random.among(10...2000)), scale: random.below(4)) ?? Decimal(1)
  }

  private static func values(_ random: inout SeededGenerator) -> SetValues {
    var values = SetValues()
    if random.once(in: 2) {
      (values.weight, values.weightUnit) = (amount(&random), [nil, .kg, .lb][random.below(3)])
      values.kg = Loads.kilograms(values.weight ?? .zero, values.weightUnit)
    }
    values.reps = maybe(&random) { $0.below(100) }
    values.seconds = maybe(&random) { $0.below(1000) }
    if random.once(in: 3) { (values.distance, values.distanceUnit) = (amount(&random), .known[random.below(4)]) }
    values.rpe = maybe(&random) { Decimal(significand: Int64($0.among(10...100)), scale: 1) ?? Decimal(1) }
    values.rir = maybe(&random) { $0.below(20) }
    values.heartRate = maybe(&random) { $0.among(20...250) }
    values.extra = maybe(&random) { ["\(id(&$0))|Grip": text(&$0)] }
    return values
  }

  private static func set(_ random: inout SeededGenerator, _ number: Int) -> SetRecord {
    SetRecord(
      id: id(&random), number: number, side: maybe(&random) { $0.once(in: 2) ? .left : .right },
      kind: maybe(&random) { .known[$0.below(6)] }, target: maybe(&random) { values(&$0) },
      actual: maybe(&random) { values(&$0) }, done: maybe(&random) { $0.once(in: 2) },
      at: maybe(&random) { Instant(milliseconds: Int64($0.below(1_000_000_000))) })
  }

  private static func group(_ random: inout SeededGenerator) -> SessionGroup {
    let sets = random.below(4)
    return SessionGroup(
      id: id(&random), plannedId: maybe(&random) { id(&$0) }, kind: maybe(&random) { .known[$0.below(6)] },
      repsMax: maybe(&random) { $0.among(1...20) }, note: maybe(&random) { text(&$0) },
      sets: (0..<sets).map { set(&random, $0 + 1) })
  }

  private static func exercise(_ random: inout SeededGenerator) -> SessionExercise {
    let groups = random.below(3)
    return SessionExercise(
      id: id(&random), exerciseId: maybe(&random) { id(&$0) },
      traits: TrainingTraits(
        name: "e" + text(&random) + "e", kind: .known[random.below(6)], equipmentIds: maybe(&random) { [id(&$0)] }),
      groups: (0..<groups).map { _ in group(&random) }, supersetId: maybe(&random) { id(&$0) },
      choice: maybe(&random) { _ in .stay }, note: maybe(&random) { text(&$0) })
  }

  /// A random session.
  private static func session(_ random: inout SeededGenerator) -> WorkoutSession {
    let modules = random.below(3)
    let start = Instant(milliseconds: Int64(random.below(1_000_000_000)) * 1000)
    return WorkoutSession(
      id: id(&random), day: CivilDay(daysSinceEpoch: Int32(random.among(0...20000))), zone: .utc,
      version: random.among(1...3), startedAt: start, endedAt: start.advanced(by: 1), seconds: random.below(9999),
      name: "n" + text(&random) + "n", workoutId: maybe(&random) { id(&$0) }, freestyle: maybe(&random) { _ in true },
      importedFrom: maybe(&random) { _ in "Hevy" },
      modules: (0..<modules).map { _ in
        let exercises = random.below(4)
        return SessionModule(
          id: id(&random), name: "m" + text(&random) + "m", kind: .known[random.below(8)],
          exercises: (0..<exercises).map { _ in exercise(&random) })
      }, bodyWeight: maybe(&random) { amount(&$0) }.flatMap { $0 >= Decimal(3) && $0 <= Decimal(1110) ? $0 : nil },
      note: maybe(&random) { text(&$0) }, createdAt: SetShelf.instant, updatedAt: SetShelf.instant)
  }

  @Test(
    "Exported and imported into an empty folder, sessions are equal in every member, and export to the same bytes",
    arguments: 0..<100)
  func comesBack(seed: Int) throws {
    var random = SeededGenerator(seed: 7, number: seed)
    var (shelf, other) = (SetShelf(), SetShelf())
    for _ in 0..<(1 + random.below(3)) {
      let session = SetRoundTripTests.session(&random)
      shelf.sessions[session.id] = session
    }
    let table = shelf.table
    let outcomes = try other.take(table)
    #expect(outcomes.new == shelf.sessions.count)
    #expect(other.sessions == shelf.sessions)
    #expect(other.table == table)
    #expect(try other.take(table).present == shelf.sessions.count)
  }

  @Test("Reordered rows give the same session; a missing row is missing from that session only", arguments: 0..<50)
  func rows(seed: Int) throws {
    var random = SeededGenerator(seed: 8, number: seed)
    var shelf = SetShelf()
    var session = SetRoundTripTests.session(&random)
    session.modules = [
      SessionModule(
        id: SetRoundTripTests.id(&random), name: "M", kind: .strength,
        exercises: [
          SessionExercise(
            id: SetRoundTripTests.id(&random), traits: TrainingTraits(name: "E", kind: .strength),
            groups: [
              SessionGroup(
                id: SetRoundTripTests.id(&random),
                sets: (1...5).map { SetRecord(id: SetRoundTripTests.id(&random), number: $0) })
            ])
        ])
    ]
    session.note = nil
    session.name = "N"
    shelf.sessions[session.id] = session
    var lines = shelf.table.split(separator: "\r\n", omittingEmptySubsequences: true).map(String.init)
    let header = lines.removeFirst()
    lines.shuffle(using: &random)
    func text() -> String { ([header] + lines).joined(separator: "\r\n") + "\r\n" }
    #expect(try shelf.read(text()).drafts.map(\.session.modules) == [session.modules])
    let gone = random.among(1...4)
    lines.removeAll { line in line.split(separator: ",").contains { $0 == "1.1.1.\(gone + 1)" } }
    session.modules[0].exercises[0].groups[0].sets.remove(at: gone)
    #expect(try shelf.read(text()).drafts.map(\.session.modules) == [session.modules])
  }

  @Test(
    "Contradictions are refused with their row",
    arguments: [
      ("1.1.1.1,60", "1.1.1.1,60", 3), ("1.1,60", "", 2), ("1.0.1.0,60", "", 2), ("a.1.1.1,60", "", 2),
      ("1.1.1.1,2001", "", 2),
      ("1.1.1.1,heavy", "", 2), ("99999999.1.1.1,1", "", 2), ("-1.1.1.1,1", "", 2),
    ])
  func contradictions(first: String, second: String, row: Int) throws {
    let start =
      "91000000-0000-4000-8000-000000000001,2026-01-02,UTC,2026-01-02T18:00:00.000Z,2026-01-02T19:00:00.000Z,3600,A,M,E,"
    let header = "session,day,zone,startedAt,endedAt,seconds,name,module,exercise,place,weight,setDetails\r\n"
    let text = header + [first, second].filter { !$0.isEmpty }.map { start + $0 + ",\r\n" }.joined()
    let table = try SetShelf().read(text)
    #expect(table.sessions.isEmpty && table.problems.first?.row == row)
  }
}
