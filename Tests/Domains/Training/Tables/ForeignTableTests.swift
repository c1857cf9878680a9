import DaybookProtocol
import FileStoreTesting
import Tables
import Testing
import Training

@testable import TrainingTables

@Suite("Tables of sets from other programs")
struct ForeignSetTests {
  private static let strong =
    "Date,Workout Name,Duration,Exercise Name,Set Order,Weight,Reps,Distance,Seconds,Notes,RPE\n"
  private static let hevy =
    "title,start_time,end_time,exercise_title,superset_id,set_index,set_type,weight_kg,reps,distance_km,duration_seconds\n"

  @Test(
    "Sessions read from tables",
    arguments: [
      // Strong: warm-ups and drop sets by the set order; rest timers and empty sets are left out.
      (
        strong + """
          2026-01-02 18:00:05,Push,1h 15m,Bench Press (Barbell),W,40.0,10.0,0,0.0,,
          2026-01-02 18:00:05,Push,1h 15m,Bench Press (Barbell),1,60,8,0,0,,8.5
          2026-01-02 18:00:05,Push,1h 15m,Bench Press (Barbell),Rest Timer,0,0,0,90,,
          2026-01-02 18:00:05,Push,1h 15m,Bench Press (Barbell),D,50,9,0,0,,
          2026-01-02 18:00:05,Push,1h 15m,Bench Press (Barbell),2,0,0,0,0,,
          2026-01-02 18:00:05,Push,1h 15m,Plank,1,0,0,0,60,,
          """,
        [
          "Push 2026-01-02T18:00:05.000Z 4500 s: Bench Press warmup:40.0kg×10 60kg×8/@8.5 drop:50kg×9 | Plank 60s"
        ]
      ),
      // Another layout of Strong: semicolons, decimal commas, units in columns of their own, seconds.
      (
        """
        Workout #;Date;Workout Name;Duration (sec);Exercise Name;Set Order;Weight;Weight Unit;Reps;RPE;Distance;Distance Unit;Seconds
        1;2025-09-14 06:05:00;Mixed;1800;Squat (Barbell);F;62,5;lbs;10;8,5;0;;0
        1;2025-09-14 06:05:00;Mixed;1800;Running (Treadmill);1;0;;0;;2,5;km;900
        """,
        ["Mixed 2025-09-14T06:05:00.000Z 1800 s: Back Squat failure:62.5lb×10/@8.5 | Treadmill Run 900s/2.5km"]
      ),
      // Hevy: newest first, month names, the same exercise twice.
      (
        hevy + """
          B,"2 Jan 2026, 18:00","2 Jan 2026, 18:30",Pull Up,,0,normal,,12,,
          A,"28 Dez. 2025, 9:05 AM","28 Dez. 2025, 10:05 AM",Deadlift (Barbell),,0,warmup,60,5,,
          A,"28 Dez. 2025, 9:05 AM","28 Dez. 2025, 10:05 AM",Deadlift (Barbell),,1,dropset,100,5,,
          A,"28 Dez. 2025, 9:05 AM","28 Dez. 2025, 10:05 AM",Deadlift (Barbell),,0,failure,80,5,,
          """,
        [
          "A 2025-12-28T09:05:00.000Z 3600 s: Deadlift warmup:60kg×5 drop:100kg×5 | Deadlift failure:80kg×5",
          "B 2026-01-02T18:00:00.000Z 1800 s: Pull-Up ×12",
        ]
      ),
      // FitNotes: a day is a session, and an exercise is one even if others come between its sets.
      (
        """
        Date,Exercise,Category,Weight (kgs),Reps,Distance,Distance Unit,Time
        2025-06-01,Flat Barbell Bench Press,Chest,60,8,,,
        2025-06-01,Barbell Row,Back,50,8,,,
        2025-06-01,Flat Barbell Bench Press,Chest,62.5,6,,,
        2025-06-02,Running (Outdoor),Cardio,,,3.1,miles,0:28:05
        """,
        [
          "Workout 2025-06-01T12:00:00.000Z 0 s: Bench Press 60kg×8 62.5kg×6 | Barbell Row 50kg×8",
          "Workout 2025-06-02T12:00:00.000Z 0 s: Running (Outdoor) 1685s/3.1mi",
        ]
      ),
      // An unknown program.
      ("Day,Lift,Load,Reps\n2026-01-03,deadlift,100,5\n", ["Workout 2026-01-03T12:00:00.000Z 0 s: Deadlift 100kg×5"]),
    ])
  func reads(text: String, expected: [String]) throws {
    var shelf = SetShelf()
    try shelf.take(text)
    #expect(shelf.short == expected)
  }

  @Test("Imported sessions have an energy estimate, which follows changes by a later table")
  func energy() throws {
    let day = "2026-01-02 18:00:05"
    func text(_ minutes: Int) -> String {
      ForeignSetTests.strong + (1...12).map { "\(day),Push,\(minutes)m,Deadlift,\($0),60,8,0,0,,\n" }.joined()
    }
    var shelf = SetShelf()
    try shelf.take(text(60))
    #expect(shelf.sessions.values.map(\.kcal) == [200])
    #expect(try shelf.take(text(60), replaces: true).present == 1)
    try shelf.take(text(30), replaces: true)
    #expect(shelf.sessions.values.map(\.kcal) == [100] && shelf.sessions.values.map(\.version) == [2])
  }

  @Test("A cancelled import assembles no sessions", arguments: [strong, hevy])
  func cancels(header: String) throws {
    let day = header == ForeignSetTests.strong ? "2026-01-02 18:00:05" : "\"2 Jan 2026, 18:00\""
    let row =
      header == ForeignSetTests.strong
      ? "\(day),Push,1h,Deadlift,1,60,8,0,0,,\n" : "Push,\(day),\(day),Deadlift,,0,normal,60,8,,\n"
    #expect(try SetShelf().read(header + row).drafts.count == 1)
    #expect {
      try SetShelf().read(header + row, shouldContinue: { $0 < 100 })
    } throws: { error in
      if case .cancelled? = error as? TableRefusal { true } else { false }
    }
  }

  @Test(
    "Lengths of time",
    arguments: [
      ("1h 15m", 4500), ("45m", 2700), ("1h5m3s", 3903), ("90 min", 5400), ("1:30", 90), ("0:01:30", 90), ("90", 90),
      ("89.6", 90), ("30s", 30), ("", nil), ("x", nil), ("1:75", nil), ("1h x", nil), ("5 6m", nil), ("1d", nil),
      ("99999999999999999999h", nil), ("-1:30", nil),
    ] as [(String, Int?)])
  func lengths(text: String, seconds: Int?) {
    #expect(LengthText.seconds(text, mark: .point) == seconds)
  }

  @Test(
    "Resolving exercise names",
    arguments: [
      ("Bench Press (Barbell)", "Bench Press"), ("Squat (Barbell)", "Back Squat"),
      ("Bicep Curl (Dumbbell)", "Dumbbell Curl"),
      ("Bicep Curl (Barbell)", "Barbell Curl"), ("Shoulder Press (Dumbbell)", "Dumbbell Shoulder Press"),
      ("pull  up", "Pull-Up"), ("Lat Pulldown (Cable)", "Lat Pulldown"), ("Chest Fly (Dumbbell)", "Dumbbell Fly"),
      // Another piece of equipment than the library's exercise uses.
      ("Bench Press (Dumbbell)", nil), ("Deadlift (Band)", nil), ("Zercher Squat", nil), ("()", nil),
      ("Running (Outdoor)", nil),
    ] as [(String, String?)])
  func names(name: String, expected: String?) {
    let found = SetShelf().finder().exercise(name, made: SetShelf.identity(name))
    #expect(found?.traits.name == expected)
  }

  @Test("A superset needs two exercises, and has the same id in each import")
  func supersets() throws {
    var shelf = SetShelf()
    let rows = ["Leg Curl (Machine),1", "Leg Extension (Machine),1", "Plank,2"].map {
      "A,\"2 Jan 2026, 18:00\",\"2 Jan 2026, 18:30\",\($0),0,normal,20,10,,\n"
    }
    try shelf.take(ForeignSetTests.hevy + rows.joined())
    let session = try #require(shelf.sessions.values.first)
    let supersets = session.modules[0].exercises.map(\.supersetId)
    #expect(supersets[0] != nil && supersets[0] == supersets[1] && supersets[2] == nil)
    #expect(try shelf.take(ForeignSetTests.hevy + rows.joined()).present == 1)
  }

  @Test("A created exercise is found again by its id, even after renaming")
  func made() throws {
    var shelf = SetShelf()
    let text = ForeignSetTests.strong + "2026-01-02 18:00:00,A,45m,Zercher Carry,1,70,6,0,0,,\n"
    try shelf.take(text) { $0.creates = true }
    #expect(shelf.exercises.map(\.traits.name) == ["Zercher Carry"])
    shelf.exercises[0].traits.name = "Carry"
    #expect(try shelf.take(text) { $0.creates = true }.present == 1)
    #expect(shelf.exercises.count == 1)
    // What the caller says wins.
    let finder = shelf.finder(["zercher carry": "Deadlift"])
    #expect(try shelf.take(text, replaces: true) { $0.finder = finder }.different == 1)
    #expect(shelf.sessions.values.first?.version == 2)
    #expect(shelf.short == ["A 2026-01-02T18:00:00.000Z 2700 s: Deadlift 70kg×6"])
  }

  @Test("Sessions keep their ids in any order of the table, and with more sessions in it", arguments: 0..<20)
  func orders(seed: Int) throws {
    var random = SeededGenerator(seed: 18, number: seed)
    var blocks: [String] = []
    for number in 0..<(2 + random.below(6)) {
      let name = random.once(in: 2) ? "Push" : "Pull"
      let sets = (1...(1 + random.below(5))).map { set in
        let exercise = ["Deadlift (Barbell)", "Plank", "Hop"][random.below(3)]
        return
          "2025-11-0\(number + 1) 18:00:00,\(name),45m,\(exercise),\(set),\(1 + random.below(100)),\(1 + random.below(9)),0,0,,\n"
      }
      blocks.append(sets.joined())
    }
    var (shelf, other) = (SetShelf(), SetShelf())
    try shelf.take(ForeignSetTests.strong + blocks.joined())
    try other.take(ForeignSetTests.strong + blocks[0])
    let outcomes = try other.take(ForeignSetTests.strong + blocks.reversed().joined())
    #expect(outcomes.present == 1 && outcomes.new == blocks.count - 1 && outcomes.different == 0)
    #expect(shelf.table == other.table)
  }

  @Test("A later table adds its sets to an imported session, unless that was edited", arguments: 0..<30)
  func extended(seed: Int) throws {
    var random = SeededGenerator(seed: 19, number: seed)
    let sets = (1...(2 + random.below(6))).map { set in
      let exercise = ["Deadlift (Barbell)", "Plank", "Hop"][random.below(3)]
      let values = "\(1 + random.below(3)),\(1 + random.below(3))"
      return "2025-11-03 18:00:00,Push,45m,\(exercise),\(set),\(values),0,0,\(["", "hard"][random.below(2)]),\n"
    }
    func table(_ count: Int) -> String { ForeignSetTests.strong + sets.prefix(count).joined() }
    let few = 1 + random.below(sets.count - 1)
    var (shelf, whole) = (SetShelf(), SetShelf())
    try whole.take(table(sets.count))
    try shelf.take(table(few))
    let id = try #require(shelf.sessions.keys.first)
    for count in few + 1...sets.count {
      let before = shelf
      #expect(try shelf.take(table(count)).list[0] == .extended(id, ["modules"], link: nil))
      #expect(shelf.sessions[id]?.version == count - few + 1 && shelf.formers[id]?.last == before.sessions[id])
      #expect(try shelf.take(table(count)).list[0] == .present(id, link: nil))
    }
    #expect(shelf.short == whole.short && shelf.sessions.count == 1)
    let complete = shelf.sessions
    #expect(try shelf.take(table(few)).different == 1 && shelf.sessions == complete)

    // What was edited stays.
    for edit in 0..<3 {
      var edited = SetShelf()
      try edited.take(table(few))
      var session = try #require(edited.sessions.values.first)
      edited.formers[session.id] = [session]
      session.version = 2
      switch edit {
      case 0: session.modules[0].exercises[0].groups[0].sets[0].actual?.reps = 99
      case 1: session.modules[0].exercises[0].groups[0].sets.removeLast()
      default: session.note = "mine"
      }
      edited.sessions[session.id] = session
      let outcomes = try edited.take(table(sets.count))
      #expect(outcomes.list[0].changed(replaces: false) == nil && outcomes.different == 1, "\(edit)")
      #expect(edited.sessions == [session.id: session])
    }
    // So does one of another program, or logged by hand.
    for program in ["Hevy", nil] {
      var other = SetShelf()
      try other.take(table(few))
      other.sessions[id]?.importedFrom = program
      let before = other.sessions
      #expect(try other.take(table(sets.count)).different == 1 && other.sessions == before)
    }
  }

  @Test("A session from another zone is recognized")
  func zones() throws {
    var shelf = SetShelf()
    let text = ForeignSetTests.strong + "2026-01-02 18:00:00,A,45m,Deadlift,1,70,6,0,0,,\n"
    try shelf.take(text)
    let outcomes = try shelf.take(text) {
      $0.zone = TimeZoneName("Europe/Berlin") ?? .utc
      $0.moment = { (TimeZoneRules.utc.instant($0, secondOfDay: $1).advanced(by: -3_600_000), $0) }
    }
    #expect(outcomes.present == 1)
  }

  @Test("A start with an offset is kept as an instant, and the session as one, wherever it is imported")
  func instants() throws {
    var shelf = SetShelf()
    let text =
      ForeignSetTests.strong + "2026-01-01T23:30:00Z,A,,Deadlift,1,70,6,0,0,,\n"
      + "2026-01-02T00:30:00+01:00,A,,Deadlift,2,72,6,0,0,,\n"
    let zone = try TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    func home(_ options: inout TrainingTableOptions) {
      options.zone = TimeZoneName("Europe/Berlin") ?? .utc
      options.scan.zone = zone
      options.moment = { (zone.instant($0, secondOfDay: $1), $0) }
    }
    try shelf.take(text, home)
    #expect(shelf.short == ["A 2026-01-01T23:30:00.000Z 0 s: Deadlift 70kg×6 72kg×6"])
    #expect(shelf.sessions.values.first.map { "\($0.day)" } == "2026-01-02")
    let abroad = try shelf.take(text)
    #expect(abroad.new == 0 && shelf.sessions.count == 1)
    #expect(try shelf.take(text, home).present == 1)
  }

  @Test("The unit of no value, or of zero, does not matter")
  func unitsOfNothing() throws {
    var shelf = SetShelf()
    let head = "Date;Workout Name;Exercise Name;Set Order;Weight;Weight Unit;Reps;Distance;Distance Unit\n"
    try shelf.take(
      head + "2026-01-02 18:00:00;A;Deadlift;1;60;kgs.;8;0;mi.\n2026-01-02 18:00:00;A;Deadlift;2;0;stone;7;;parsec\n"
        + "2026-01-02 18:00:00;A;Deadlift;3;n/a;-;6;NaN;null\n2026-01-02 18:00:00;A;Run;1;;;;2;mi.\n")
    #expect(shelf.short == ["A 2026-01-02T18:00:00.000Z 0 s: Deadlift 60kg×8 ×7 ×6 | Treadmill Run 2mi"])
    let table = try shelf.read(head + "2026-01-02 18:00:00;A;Deadlift;1;60;stone;8;0;mi.\n")
    #expect(table.problems.map(\.kind) == [.unknownValue] && table.problems.first?.field == "weightUnit")
  }

  @Test("A session with too many sets of an exercise is refused as a whole")
  func tooMuch() throws {
    let rows = (1...1001).map { "2026-01-02 18:00:00,A,45m,Deadlift,\($0),70,6,0,0,,\n" }
    let table = try SetShelf().read(ForeignSetTests.strong + rows.joined())
    #expect(table.refused == 1001 && table.sessions.isEmpty && table.problems.map(\.row) == [2])
  }

  @Test("Damaged tables are refused without a crash", arguments: 0..<300)
  func damage(seed: Int) {
    var random = SeededGenerator(seed: 15, number: seed)
    let own = "session,day,place,startedAt,endedAt,seconds,name,zone,exercise,weight,setDetails\r\n"
    var text = Array(
      [
        ForeignSetTests.strong + "2026-01-02 18:00:00,A,45m,Deadlift (Barbell),1,70,6,0,0,,8\n",
        "A title\n#x\n" + ForeignSetTests.strong
          + "2026-01-02T18:00:00+01:00,A,n/a,Deadlift (Barbell),1,70,6,0,-,,8,\n",
        ForeignSetTests.hevy + "A,\"2 Jan 2026, 18:00\",\"2 Jan 2026, 18:30\",Plank,1,0,normal,20,10,,\n",
        own + "91000000-0000-4000-8000-000000000001,2026-01-02,1.1.1.1,2026-01-02T18:00:00.000Z,"
          + "2026-01-02T19:00:00.000Z,3600,A,UTC,Deadlift,60,\"{\"\"number\"\":1}\"\r\n",
      ][random.below(4)].utf8)
    for _ in 0..<(1 + random.below(6)) {
      let at = text.count / 3 + random.below(text.count - text.count / 3)
      switch random.below(3) {
      case 0: text[at] = UInt8(truncatingIfNeeded: random.next())
      case 1: text.remove(at: at)
      default: text.insert(contentsOf: Array("999999999999.:-{}0,,;Z+".utf8).shuffled(using: &random).prefix(4), at: at)
      }
    }
    let table = try? SetShelf().read(String(decoding: text, as: UTF8.self))
    #expect((table?.sessions.count ?? 0) <= 2)
  }

  @Test("The order of rows, and sessions that a later table has besides, change no session", arguments: 0..<60)
  func order(_ seed: Int) throws {
    var random = SeededGenerator(seed: 34, number: seed)
    let header = "Date,Exercise,Category,Weight (kgs),Reps,Distance,Distance Unit,Time,Comment\n"
    func rows(_ days: ClosedRange<Int>) -> [String] {
      days.flatMap { day in
        (0..<random.among(1...6)).map { _ in
          "2025-06-0\(day),\(["Squat", "Bench", "Row"][random.below(3)]),Legs,\([60, 70][random.below(2)]),"
            + "\([5, 8][random.below(2)]),,,,\(["", "easy"][random.below(2)])"
        }
      }
    }
    let (first, more) = (rows(1...2), rows(3...4))
    var shelf = SetShelf()
    #expect(try shelf.take(header + first.joined(separator: "\n")).new == 2)
    let before = shelf.short
    #expect(try shelf.take(header + first.shuffled(using: &random).joined(separator: "\n")).present == 2)
    let later = try shelf.take(header + (first + more).shuffled(using: &random).joined(separator: "\n"))
    #expect(later.present == 2 && later.new == 2)
    #expect(Array(shelf.short.prefix(2)) == before)
    #expect(try shelf.take(header + (more + first).joined(separator: "\n")).present == 4)
  }
}
