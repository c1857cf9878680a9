import DaybookProtocol
import FileStoreTesting
import Habits
import Tables
import Testing

@testable import HabitTables

@Suite("Habits in tables of other programs")
struct ForeignHabitTests {
  private static let head = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"

  @Test("HabitBull's values become logs; a value above 1 makes the habit numeric")
  func habitBull() throws {
    var shelf = Shelf()
    let text =
      ForeignHabitTests.head
      + "Garden,\"weeds, seeds\",Home & Yard,4/13/2025,1,dry\nGarden,\"weeds, seeds\",Home & Yard,4/14/2025,0,\n"
      + "Garden,\"weeds, seeds\",Home & Yard,4/14/2025,0,\nPushups,,Fitness,4/3/2025,1,\nPushups,,Fitness,4/5/2025,30,\n"
      + "Garden,\"weeds, seeds\",Home & Yard,4/15/2025,-2150000000,\n"
    let outcomes = try shelf.take(text)
    #expect(outcomes.new == 4)
    #expect(shelf.log("Garden") == ["2025-04-13 1 [dry]", "2025-04-14 0"])
    #expect(shelf.log("Pushups") == ["2025-04-03 1", "2025-04-05 30"])
    let garden = try #require(shelf.habit("Garden"))
    #expect(garden.note == "weeds, seeds" && garden.tags == ["Home & Yard"] && garden.measure == .binary)
    #expect("\(garden.startDay)" == "2025-04-13" && shelf.habit("Pushups")?.measure == .numeric)
    try shelf.take(text, replaces: true)
    #expect(shelf.written == 0)
    // A later, longer export adds only the new rows.
    #expect(try shelf.take(text + "Pushups,,Fitness,4/6/2025,31,\n").new == 1)
  }

  @Test("A Habitica task was done when its value rose; a bad habit happened on each logged day")
  func habitica() throws {
    var shelf = Shelf()
    func rows(_ name: String, _ id: Int, _ type: String, _ values: [(Int, String)]) -> String {
      values.map { day, value in
        "\(name),e826ddfa-dc2e-445f-a06c-00000000000\(id),\(type),2025-06-0\(day) 13:26:05,\(value)\n"
      }.joined()
    }
    let text =
      "Task Name,Task ID,Task Type,Date,Value\n"
      + rows("Floss", 1, "daily", [(1, "1"), (2, "1"), (3, "0.02653731"), (4, "1.02588"), (4, "1.02588"), (5, "-0.5")])
      + rows("Walk", 2, "habit", [(1, "1"), (2, "1.9747"), (7, "1.05")])
      + rows("Smoke", 3, "habit", [(2, "-1"), (3, "-2.03")])
      + rows("Mixed", 4, "habit", [(1, "1"), (2, "-0.0001"), (3, "0.9")]) + rows("Floss", 5, "daily", [(1, "1")])
    try shelf.take(text)
    #expect(shelf.log("Floss") == ["2025-06-01 1", "2025-06-04 1"])
    #expect(shelf.log("Walk") == ["2025-06-01 1", "2025-06-02 1", "2025-06-07 1"])
    #expect(shelf.log("Smoke") == ["2025-06-02 1", "2025-06-03 1"] && shelf.habit("Smoke")?.kind == .bad)
    #expect(shelf.log("Mixed") == ["2025-06-01 1", "2025-06-03 1"] && shelf.habit("Mixed")?.kind == .good)
    #expect(shelf.log("Floss (2)") == ["2025-06-01 1"])
    try shelf.take(text, replaces: true)
    #expect(shelf.written == 0)
    let lines = text.split(separator: "\n")
    try shelf.take((lines.prefix(1) + lines.dropFirst().reversed()).joined(separator: "\n"), replaces: true)
    #expect(shelf.written == 0, "the order of tasks with one name changes nothing")
    let problem = try #require(try shelf.read(text + rows("Walk", 2, "habit", [(8, "much")])).problems.first)
    #expect(problem.kind == .notANumber && problem.field == "worth" && problem.column == 5)
  }

  @Test("Any table with a habit and a day is read")
  func others() throws {
    var shelf = Shelf()
    let text = """
      Activity;Date;Status;Time;Comment
      Read;05.01.2026;done;08:15;"ten pages"
      Read;04.01.2026;no;;
      Read;03.01.2026;skipped;;
      Water;04.01.2026;2,5;;
      Water;04.01.2026;2,5;;
      Water;03.01.2026;;;none left

      """
    #expect(try shelf.take(text).new == 6)
    #expect(shelf.log("Read") == ["2026-01-03 skip", "2026-01-04 0", "2026-01-05 1 [ten pages]"])
    #expect(shelf.log("Water") == ["2026-01-03 - [none left]", "2026-01-04 2.5", "2026-01-04 2.5"])
    #expect(shelf.logs.values.contains { $0.at == WallTime(minutesOfDay: 495) })
    try shelf.take(text, replaces: true)
    #expect(shelf.written == 0)
    #expect(try shelf.take("Habit,Date\nRead,2026-01-01\n").new == 1, "a day alone is a day on which it was done")
    #expect(
      try shelf.take("When,Glasses\n2026-01-01,3\n") {
        $0.habit = "Water"
        $0.scan.mapping = ["day": "When", "value": "Glasses"]
      }.new == 1)
    #expect(shelf.log("Water").first == "2026-01-01 3")
    #expect(throws: TableRefusal.self) { try shelf.read("Artist,Album\nBach,Partitas\n") }
    #expect(throws: TableRefusal.self) { try shelf.read("Date,Value\n2026-01-01,3\n") }
  }

  @Test(
    "A cell that breaks a rule is refused with its location and the allowed values",
    arguments: [
      ("Read,2026-02-30,1,,", "day", .notADay), (",2026-01-01,1,,", "habit", .missing),
      ("Read,2026-01-01,,,", "value", .missing),
      ("Read,2026-01-01,-1,,", "value", .outOfRange), ("Read,2026-01-01,1000001,,", "value", .outOfRange),
      ("Read,2026-01-01,much,,", "value", .notANumber), ("Read,2026-01-01,1.2345,,", "value", .outOfRange),
      ("Read,2026-01-01,1,25:00,", "at", .notATime), ("Read,2026-01-01,1", nil, .raggedRow),
      ("Read,2026-01-01,1,,\(String(repeating: "x", count: 10001))", "note", .tooLong),
      ("\(String(repeating: "x", count: 201)),2026-01-01,1,,", "habit", .tooLong),
    ] as [(String, String?, TableProblemKind)])
  func refusals(_ row: String, _ field: String?, _ kind: TableProblemKind) throws {
    let table = try Shelf().read("Habit,Date,Value,Time,Note\nRead,2026-01-03,1,,\n\(row)\nRead,2026-01-04,1,,\n")
    let problem = try #require(table.problems.first)
    #expect(problem.kind == kind && problem.field == field && problem.row == 3 && problem.line == 3, "\(problem)")
    #expect(problem.allowed != nil && table.refused == 1 && table.rows.count == 3)
  }

  @Test(
    "Habits in Daybook's own table obey the habit rules",
    arguments: [
      ("kind", "ugly", TableProblemKind.unknownValue), ("measure", "some", .unknownValue), ("target", "0", .outOfRange),
      ("target", "2", .contradiction), ("target", "1.2345", .outOfRange), ("unit", "page", .contradiction),
      ("schedule", "8 per week", .outOfRange), ("schedule", "sometimes", .malformed), ("schedule", "", .missing),
      ("startDay", "2026-02-30", .notADay), ("endDay", "2020-01-01", .contradiction), ("categoryId", "x", .notAnId),
      ("tags", "a; A", .repeated), ("order", "-1", .outOfRange), ("pinned", "maybe", .unknownValue),
      ("reminders", "25:00", .malformed), ("reminders", "08:00; 08:00", .repeated), ("place", "{}", .malformed),
      ("source", "habitsDone", .contradiction), ("source", "moon", .unknownValue),
      ("pauses", "2026-01-05 to 2026-01-01", .contradiction), ("pauses", "in winter", .malformed),
      ("colour", "red", .malformed), ("name", "\u{200B}", .missing),
    ])
  func ourHabits(_ field: String, _ text: String, _ kind: TableProblemKind) throws {
    let fields = HabitColumns.all.map(\.field)
    let good = [
      "name": "Read", "colour": "#2DA9E3", "kind": "good", "measure": "binary", "target": "1", "schedule": "daily",
      "startDay": "2026-01-01", "order": "0",
    ]
    let row = fields.map {
      "\"\((($0 == field ? text : good[$0]) ?? "").split(separator: "\"").joined(separator: "\"\""))\""
    }
    let table = try Shelf().read(fields.joined(separator: ",") + "\n" + row.joined(separator: ",") + "\n")
    let problem = try #require(table.problems.first)
    #expect(problem.kind == kind && problem.field == field && table.refused == 1, "\(problem)")
    #expect(problem.column == (fields.firstIndex(of: field) ?? 0) + 1)
  }

  @Test("No two habits get the same name, category and unit")
  func names() throws {
    var shelf = Shelf()
    let habit = HabitDrafts.blankHabit("Read", Shelf.today)
    let id = EntityID(high: 0x4000, low: 1 << 63)
    shelf.habits[id] = habit
    shelf.habits[id]?.id = id
    let head = "id,name,measure,schedule,startDay,archivedDay\n"
    let other = "11111111-1111-4111-8111-111111111111,read,binary,daily,2026-01-01"
    #expect(try shelf.read("\(head)\(other),\n").problems.first?.kind == .repeated)
    #expect(try shelf.read("\(head)\(other),2026-01-02\n").refused == 0, "an archived one may")
    let renamed = "\(id),Write,binary,daily,2026-01-01,"
    #expect(try shelf.read("\(head)\(other),\n\(renamed)\n").refused == 0)
    #expect(try shelf.read("\(head)\(other),\n\(other.replacing(text: "1111-4", with: "2222-4")),\n").refused == 2)
  }

  @Test("The valid half of a table is imported on request when the other half is wrong", arguments: 0..<10)
  func halfWrong(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 5)
    let bad = [
      "x,2026-13-01,1", ",2026-01-01,1", "Read,2026-01-01,lots", "Read,2026-01-01", "Read,,1", "Read,2026-01-01,-1",
    ]
    var (text, wrong) = ("Habit,Date,Value\n", [Int]())
    for row in 0..<200 {
      if random.once(in: 2) {
        wrong.append(row + 2)
        text += bad[random.below(bad.count)] + "\n"
      } else {
        text += "Habit \(random.below(7)),2025-0\(random.among(1...9))-1\(random.below(10)),\(random.below(4))\n"
      }
    }
    var shelf = Shelf()
    let table = try shelf.read(text)
    #expect(table.refused == wrong.count)
    #expect(table.problems.map(\.row) == Array(wrong.prefix(table.problems.count)))
    #expect(table.problems.allSatisfy { $0.line == $0.row && $0.allowed != nil })
    try shelf.take(text)
    #expect(
      shelf.logs.count == 200 - wrong.count && shelf.logs.values.allSatisfy { HabitLogRules.refusal(of: $0) == nil })
    #expect(shelf.habits.values.allSatisfy { HabitRules.refusal(of: $0) == nil && $0.name.hasPrefix("Habit ") })
    #expect(Set(shelf.logs.values.map(\.habitId)) == Set(shelf.habits.keys))
  }

  /// Headers with a valid row.
  private static let tables = [
    ("Date,Sit,Run, long,", "2026-01-01,YES_MANUAL,SKIP,NO,"), ("Date,Sit,Run, long,", "2026-01-01,YES_MANUAL,SKIP,"),
    ("Date,Value,Notes", "2026-01-01,YES_MANUAL,"),
    ("Habit,Date,Value,Skipped,Time,Note", "Run,2026-01-01,2,,08:15,x"), (bull, "Sit,,Home,2026-01-01,1,"),
    ("Task Name,Task ID,Task Type,Date,Value", "Run,e826ddfa-dc2e-445f-a06c-64d3881982ea,daily,2026-01-01,1"),
    (loop, "001,Sit,NUMERICAL,,,1,1,#ABCDEF,km,AT_MOST,3.0,true"),
    (
      "id,habit,day,habitId,value,skipped,at,note,zone",
      "\(id),Sit,2026-01-01,22222222-2222-4222-8222-222222222222,1,,,,UTC"
    ),
    (
      "id,name,colour,kind,measure,unit,target,schedule,startDay,endDay,order,tags,pauses,archivedDay",
      "\(id),Sit,#ABCDEF,good,numeric,km,3,daily,2026-01-01,,0,a,,"
    ),
  ]
  private static let id = "11111111-1111-4111-8111-111111111111"
  private static let bull = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText"
  private static let loop =
    "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,"
    + "Target Value,Archived?"
  private static let cells = [
    "", "", "1", "2", "3", "-1", "0", "1000001", "1e9", "nan", "inf", "YES_MANUAL", "SKIP", "Sit", "\u{200B}", "daily",
    "habit", "2026-01-01", "2025-12-31T23:30:00Z", "2026-01-01 24:00", "05.01.2026", "n/a", "-", "Run, long",
    "1900-01-01", "2200-12-31", "2026-13-01", "true", "x", "08:15", "good", "bad", "binary",
    "numeric", "NUMERICAL", "AT_MOST", "#ABCDEF", "3 per week", "-2150000000", "9999999999999999999", "=1", "\"",
    "\"a\nb\"",
    "11111111-1111-4111-8111-111111111111", "2025-01-01 to 2024-01-01", "{}", "UTC", String(repeating: "y", count: 300),
  ]

  @Test("Whatever a table contains, imported entities obey the rules", arguments: 0..<300)
  func anything(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed), number: 6)
    var shelf = Shelf()
    for _ in 0..<4 {
      let (header, row) = ForeignHabitTests.tables[random.below(ForeignHabitTests.tables.count)]
      var text = (random.once(in: 3) ? "A title\n\n" : "") + header + "\n"
      for _ in 0..<random.below(12) {
        var cells = row.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for _ in 0..<random.below(4) {
          cells[random.below(cells.count)] = ForeignHabitTests.cells[random.below(ForeignHabitTests.cells.count)]
        }
        if random.once(in: 8) { cells.remove(at: random.below(cells.count)) }
        if random.once(in: 8) { cells.append("") }
        text += cells.joined(separator: ",") + "\n"
      }
      do { try shelf.take(text, replaces: random.once(in: 2)) { $0.habit = "Sit" } } catch is TableRefusal {
      } catch is Refusal {}
    }
    for habit in shelf.habits.values {
      #expect(HabitRules.refusal(of: habit) == nil, "\(habit)")
      // Stored entities are read again.
      #expect(try Habit(json: habit.json) == habit)
    }
    for log in shelf.logs.values {
      #expect(HabitLogRules.refusal(of: log) == nil, "\(log)")
      #expect(try HabitLog(json: log.json) == log && shelf.habits[log.habitId] != nil)
    }
    let active = shelf.habits.values.filter { $0.archivedDay == nil }
    #expect(Set(active.map { HabitRules.nameKey($0) }).count == active.count)
  }

  @Test("A hundred thousand rows are imported, and importing them again changes nothing")
  func many() throws {
    var text = "Habit,Date,Value\n"
    for row in 0..<100_000 {
      let day = CivilDay(daysSinceEpoch: Int32(15000 + row / 20))
      text += "Habit \(row % 20),\(day),\(row % 3)\n"
    }
    var shelf = Shelf()
    #expect(try shelf.take(text).new == 100_000)
    #expect(shelf.habits.count == 20 && shelf.logs.count == 100_000)
    #expect(try shelf.take(text, replaces: true).present == 100_000)
    #expect(shelf.written == 0)
  }

  @Test("The order of logs, and logs that a later table has besides, change nothing", arguments: 0..<60)
  func order(_ seed: Int) throws {
    var random = SeededGenerator(seed: 34, number: seed)
    let header = "Habit,Date,Value,Note\n"
    func rows() -> [String] {
      (0..<random.among(1...8)).map { _ in
        "\(["Read", "Run"][random.below(2)]),2026-01-0\(random.among(1...2)),\(random.among(2...4)),\(["", "x"][random.below(2)])"
      }
    }
    let (first, more) = (rows(), rows())
    var shelf = Shelf()
    #expect(try shelf.take(header + first.joined(separator: "\n")).new == first.count)
    #expect(try shelf.take(header + first.shuffled(using: &random).joined(separator: "\n")).present == first.count)
    #expect(shelf.written == 0)
    let later = try shelf.take(header + (first + more).shuffled(using: &random).joined(separator: "\n"))
    #expect(later.present == first.count && later.new == more.count && later.different == 0)
    #expect(shelf.logs.count == first.count + more.count)
    #expect(try shelf.take(header + (more + first).joined(separator: "\n")).present == shelf.logs.count)
  }
}
