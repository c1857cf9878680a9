import DaybookProtocol
import FileStoreTesting
import Habits
import Tables
import Testing

@testable import HabitTables

@Suite("Tables of Loop")
struct LoopTests {
  static let habits = """
    Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
    001,Meditate,YES_NO,Did you meditate this morning?,on the mat,1,1,#FF8F00,,,,false
    002,Wake up early,YES_NO,Did you wake up before 6am?,,2,3,#00897b,,,,false
    003,Run,NUMERICAL,How far did you run?,,1,7,#E64A19,miles,AT_LEAST,15.5,true
    004,Coffee,NUMERICAL,How many cups?,,1,1,#795548,cups,AT_MOST,3.0,false
    005,"Read, write",YES_NO,,,3,7,#8E24AA,,,,false

    """
  static let marks = """
    Date,Meditate,Wake up early,Run,Coffee,Read, write,
    2026-01-05,UNKNOWN,YES_MANUAL,UNKNOWN,2000,UNKNOWN,
    2026-01-04,YES_MANUAL,UNKNOWN,5500,NO,YES_MANUAL,
    2026-01-03,NO,YES_AUTO,SKIP,4500,UNKNOWN,
    2026-01-02,SKIP,YES_MANUAL,UNKNOWN,UNKNOWN,UNKNOWN,
    2026-01-01,UNKNOWN,YES_AUTO,UNKNOWN,UNKNOWN,UNKNOWN,

    """

  @Test("Habits have Loop's types, schedules and targets")
  func habitTable() throws {
    var shelf = Shelf()
    let outcomes = try shelf.take(LoopTests.habits)
    #expect(outcomes.new == 5)
    let meditate = try #require(shelf.habit("Meditate"))
    #expect(meditate.question == "Did you meditate this morning?" && meditate.note == "on the mat")
    #expect(meditate.schedule.kind == .daily && meditate.measure == .binary && meditate.colour == "#FF8F00")
    #expect(shelf.habit("Wake up early")?.schedule == HabitSchedule(kind: .perDays, times: 2, days: 3))
    let run = try #require(shelf.habit("Run"))
    #expect(run.measure == .numeric && run.kind == .good && run.unit == "miles" && "\(run.target)" == "15.5")
    #expect(run.archivedDay == Shelf.today && run.schedule == HabitSchedule(kind: .daily) && run.targetDays == 7)
    let coffee = try #require(shelf.habit("Coffee"))
    #expect(coffee.kind == .bad && "\(coffee.target)" == "3" && coffee.inclusive == true)
    #expect(shelf.habits.values.sorted { $0.order < $1.order }.map(\.name).first == "Meditate")
    #expect(Set(shelf.habits.values.map(\.order)) == [0, 1, 2, 3, 4])
  }

  @Test("Marks map to habits, even with a comma in the name, and become logs, skips or nothing")
  func marks() throws {
    var shelf = Shelf()
    try shelf.take(LoopTests.habits)
    let outcomes = try shelf.take(LoopTests.marks)
    #expect(shelf.habits.count == 5 && outcomes.new == 11)
    #expect(shelf.log("Meditate") == ["2026-01-02 skip", "2026-01-03 0", "2026-01-04 1"])
    #expect(shelf.log("Wake up early") == ["2026-01-02 1", "2026-01-05 1"])
    #expect(shelf.log("Run") == ["2026-01-03 skip", "2026-01-04 5.5"])
    #expect(shelf.log("Coffee") == ["2026-01-03 4.5", "2026-01-04 0", "2026-01-05 2"])
    #expect(shelf.log("Read, write") == ["2026-01-04 1"])
    // A habit begins with its first mark, inferred or not.
    #expect(shelf.habit("Wake up early").map { "\($0.startDay)" } == "2026-01-01")
    #expect(shelf.habit("Run").map { "\($0.startDay)" } == "2026-01-03")
  }

  @Test("Importing the same export again changes nothing, even after habits were renamed")
  func again() throws {
    var shelf = Shelf()
    for text in [LoopTests.habits, LoopTests.marks] { try shelf.take(text) }
    let before = shelf.tables()
    for text in [LoopTests.habits, LoopTests.marks] {
      let outcomes = try shelf.take(text, replaces: true)
      #expect(outcomes.new == 0 && outcomes.different == 0 && shelf.written == 0)
    }
    #expect(shelf.tables() == before)
    let id = try #require(shelf.habit("Meditate")?.id)
    shelf.habits[id]?.name = "Sit"
    #expect(try shelf.take(LoopTests.marks).new == 0 && shelf.written == 0)
    let coffee = try #require(shelf.habit("Coffee")?.id)
    shelf.habits[coffee]?.note = "With milk"
    #expect(try shelf.take(LoopTests.habits, replaces: true).present == 5 && shelf.written == 0)
  }

  @Test("A habit renamed to the name of another column is not matched to it", arguments: [true, false])
  func exchanged(_ hasHabits: Bool) throws {
    var shelf = Shelf()
    let habits = "Name,FrequencyNumerator,FrequencyDenominator\nSit,1,1\nWalk,1,1\n"
    try shelf.take("Date,Sit,\n2026-01-04,YES_MANUAL,\n")
    let id = try #require(shelf.habit("Sit")?.id)
    shelf.habits[id]?.name = "Walk"
    if hasHabits { try shelf.take(habits) }
    for isAgain in [false, true] {
      try shelf.take("Date,Sit,Walk,\n2026-01-04,YES_MANUAL,NO,\n", replaces: true)
      #expect(shelf.log("Walk") == ["2026-01-04 1"] && shelf.log("Walk (2)") == ["2026-01-04 0"])
      #expect(shelf.written == 0 || !isAgain)
    }
    #expect(shelf.habits.count == 2 && shelf.habit("Walk")?.id == id)
    #expect(try shelf.take(habits, replaces: true).present == 2)
  }

  @Test("Marks are limited like rows, and names like those of habits")
  func limits() throws {
    let text = "Date,Sit,Walk,\n2026-01-04,NO,NO,\n2026-01-03,NO,NO,\n2026-01-02,UNKNOWN,NO,\n"
    var limits = TableLimits()
    limits.rows = 5
    #expect(try HabitTable.read(Array(text.utf8), Shelf().options, limits: limits).refused == 0)
    limits.rows = 4
    let table = try HabitTable.read(Array(text.utf8), Shelf().options, limits: limits)
    #expect(table.refused == 1 && table.problems.first?.row == 4 && table.entries.count == 5)
    let long = try Shelf().read("Date,\(String(repeating: "x", count: 201)),\n2026-01-04,NO,\n")
    #expect(long.problems.first?.kind == .tooLong && long.problems.first?.column == 2)
  }

  @Test("Marks alone create daily habits, numeric ones if there are thousandths")
  func marksAlone() throws {
    var shelf = Shelf()
    let text = "Date,Sit,Water,Never,\n2026-01-04,2,1500,-1,\n2026-01-03,0,3,-1,\n2026-01-02,1,2,-1,\n"
    try shelf.take(text)
    #expect(shelf.log("Sit") == ["2026-01-03 0", "2026-01-04 1"])
    #expect(shelf.log("Water") == ["2026-01-02 0.002", "2026-01-03 skip", "2026-01-04 1.5"])
    #expect(shelf.habit("Never") == nil && shelf.habit("Water")?.measure == .numeric)
    #expect(shelf.habit("Sit").map { "\($0.startDay) \($0.schedule.kind)" } == "2026-01-02 daily")
    // Then the habits tell what they are.
    let habits = "Name,FrequencyNumerator,FrequencyDenominator\nSit,1,2\n"
    #expect(try shelf.take(habits).different == 1)
    try shelf.take(habits, replaces: true)
    #expect(shelf.habit("Sit")?.schedule == HabitSchedule(kind: .perDays, times: 1, days: 2))
    #expect(shelf.habit("Sit").map { "\($0.startDay)" } == "2026-01-02")
  }

  @Test("A habit added by hand matches its column, renamed or not, and its logs match the marks")
  func byHand() throws {
    var shelf = Shelf()
    var habit = HabitDrafts.blankHabit("Sit ", Shelf.today)
    (habit.id, habit.name) = (EntityID(high: 0x4000, low: 1 << 63), "SIT")
    shelf.habits[habit.id] = habit
    var log = HabitLog(
      id: EntityID(high: 0x4000, low: 1 << 63 | 1), day: Shelf.today.advanced(by: -1), zone: .utc, habitId: habit.id,
      value: Decimal(3), createdAt: Shelf.instant, updatedAt: Shelf.instant)
    shelf.logs[log.id] = log
    let text = "Date,sit,\n2026-01-04,YES_MANUAL,\n2026-01-03,YES_MANUAL,\n"
    let outcomes = try shelf.take(text)
    #expect(outcomes.new == 1 && outcomes.different == 1 && shelf.habits.count == 1 && shelf.logs.count == 2)
    #expect(shelf.habit("SIT")?.startDay == Shelf.today, "an import moves no start")
    shelf.habits[habit.id]?.name = "Zazen"
    log.value = Decimal(1)
    shelf.logs[log.id] = log
    let again = try shelf.take(text)
    #expect(again.new == 0 && again.present == 2 && shelf.written == 0)
  }

  @Test("A start stays once a habit has a log, and earlier logs are told")
  func earlier() throws {
    var shelf = Shelf()
    try shelf.take("Name,FrequencyNumerator,FrequencyDenominator\nSit,1,1\n")
    #expect(shelf.habit("Sit")?.startDay == Shelf.today)
    try shelf.take("Date,Sit,\n2026-01-04,YES_MANUAL,\n")
    #expect(shelf.habit("Sit").map { "\($0.startDay)" } == "2026-01-04", "it had no start of its own")
    let text = "Date,Sit,\n2026-01-04,YES_MANUAL,\n2026-01-02,YES_MANUAL,\n"
    let table = try shelf.read(text)
    let outcomes = try shelf.take(text)
    #expect(outcomes.new == 1 && table.uncountedHabits(outcomes).map(\.name) == ["Sit"])
    #expect(shelf.habit("Sit").map { "\($0.startDay)" } == "2026-01-04")
    #expect(shelf.log("Sit") == ["2026-01-02 1", "2026-01-04 1"])
  }

  @Test("The marks of a single habit have notes")
  func entries() throws {
    var shelf = Shelf()
    try shelf.take("Date,Sit,\n2026-01-04,YES_MANUAL,\n2026-01-03,UNKNOWN,\n")
    let text = "Date,Value,Notes\n2026-01-04,YES_MANUAL,\"long, at last\"\n2026-01-03,UNKNOWN,ill\n"
    #expect(throws: TableRefusal.self) { try shelf.read(text) }
    let outcomes = try shelf.take(text, replaces: true) { $0.habit = "Sit" }
    #expect(outcomes.new == 1 && outcomes.different == 1)
    #expect(shelf.log("Sit") == ["2026-01-03 - [ill]", "2026-01-04 1 [long, at last]"])
    try shelf.take("Date,Sit,\n2026-01-04,YES_MANUAL,\n2026-01-03,UNKNOWN,\n", replaces: true)
    #expect(shelf.written == 0, "what has no column stays")
    try shelf.take(text.replacing(text: "\"long, at last\"", with: ""), replaces: true) { $0.habit = "Sit" }
    #expect(shelf.written == 0, "and what has an empty cell")
  }

  @Test("Two habits with the same name stay separate")
  func twins() throws {
    var shelf = Shelf()
    try shelf.take("Name,FrequencyNumerator,FrequencyDenominator\nSit,1,1\nSit,1,2\n")
    try shelf.take("Date,Sit,Sit,\n2026-01-04,YES_MANUAL,NO,\n")
    #expect(shelf.log("Sit") == ["2026-01-04 1"] && shelf.log("Sit (2)") == ["2026-01-04 0"])
    #expect(shelf.habits.count == 2)
  }

  @Test("Habits of one name are found by what they say, in any order and when one is gone")
  func twinsInAnyOrder() throws {
    var shelf = Shelf()
    let header = "Name,FrequencyNumerator,FrequencyDenominator,Color\n"
    let rows = ["Sit,1,1,#FF8F00\n", "Sit,1,2,#00897B\n", "Sit,3,7,#8E24AA\n"]
    try shelf.take(header + rows.joined())
    try shelf.take(
      "Date,Sit,Sit,Sit,\n2026-01-02,YES_MANUAL,NO,YES_MANUAL,\n2026-01-01,NO,NO,SKIP,\n")
    let before = shelf.tables()
    let days = [
      ["UNKNOWN", "YES_MANUAL", "NO"], ["NO", "YES_MANUAL", "SKIP"], ["YES_MANUAL", "NO", "YES_MANUAL"],
      ["NO", "NO", "SKIP"],
    ]
    for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0], [1], [2]] {
      #expect(try shelf.take(header + order.map { rows[$0] }.joined(), replaces: true).present == order.count)
      #expect(shelf.written == 0 && shelf.tables() == before, "\(order)")
      var longer = shelf
      var text = "Date," + order.map { _ in "Sit," }.joined() + "\n"
      for (number, marks) in days.enumerated() {
        text += "2026-01-0\(4 - number)," + order.map { marks[$0] + "," }.joined() + "\n"
      }
      #expect(try longer.take(text, replaces: true).different == 0, "\(order)")
      #expect(longer.habits.count == 3)
      let shorter = text.split(separator: "\n").prefix(4).joined(separator: "\n")
      #expect(try longer.take(shorter, replaces: true).different == 0 && longer.written == 0, "\(order)")
      let all = [
        ["2026-01-01 0", "2026-01-02 1", "2026-01-03 0"],
        ["2026-01-01 0", "2026-01-02 0", "2026-01-03 1", "2026-01-04 1"],
        ["2026-01-01 skip", "2026-01-02 1", "2026-01-03 skip", "2026-01-04 0"],
      ]
      for (habit, name) in ["Sit", "Sit (2)", "Sit (3)"].enumerated() where order.contains(habit) {
        #expect(longer.log(name) == all[habit], "\(order)")
      }
    }
    // A changed one is the one that is left.
    try shelf.take(header + "Sit,2,7,#00897B\n" + rows[0] + rows[2], replaces: true)
    #expect(shelf.written == 1 && shelf.habit("Sit (2)")?.schedule.times == 2)
    #expect(shelf.habit("Sit")?.schedule.kind == .daily)
  }

  @Test(
    "A malformed table of marks is refused with the location",
    arguments: [
      ("Date,Sit,\n2026-01-04,0.0519,\n", 2, 2, TableProblemKind.unknownValue),
      ("Date,Sit,Run,\n2026-01-04,NO\n", 2, nil, .raggedRow), ("Date,Sit,\nsoon,NO,\n", 2, 1, .notADay),
      ("Date,Sit,\n2026-01-04,NO,\n2026-02-30,NO,\n", 3, 1, .notADay),
      ("Date,Sit,\n2026-01-04,NO,\n2027-01-01,NO,\n", 3, 1, .outOfRange),
      ("Date,Sit,Run,\n2026-01-04,NO,often,\n", 2, 3, .unknownValue),
      ("Date,Sit,\n2026-01-04,1000000001,\n", 2, 2, .unknownValue),
    ] as [(String, Int, Int?, TableProblemKind)])
  func refusals(_ text: String, _ line: Int, _ column: Int?, _ kind: TableProblemKind) throws {
    let table = try Shelf().read(text)
    let problem = try #require(table.problems.first)
    #expect(
      problem.kind == kind && problem.line == line && problem.column == column && table.refused == 1, "\(problem)")
  }

  @Test(
    "Habits that Loop would not write are refused with their location",
    arguments: [
      ("Sit,YES_NO,0,1,,,,", "times", TableProblemKind.outOfRange), ("Sit,YES_NO,1,,,,,", "days", .missing),
      (",YES_NO,1,1,,,,", "name", .missing), ("Sit,OTHER,1,1,,,,", "type", .unknownValue),
      ("Sit,YES_NO,1,1,red,,,", "colour", .malformed), ("Sit,NUMERICAL,1,1,,km,NEVER,5.0", "targetType", .unknownValue),
      ("Sit,NUMERICAL,1,1,,km,AT_LEAST,far", "target", .notANumber),
      ("Sit,NUMERICAL,1,1,,km,AT_LEAST,", "target", .missing),
      ("Sit,YES_NO,1,401,,,,", "days", .outOfRange), ("Sit,YES_NO,1", nil, .raggedRow),
    ] as [(String, String?, TableProblemKind)])
  func badHabits(_ row: String, _ field: String?, _ kind: TableProblemKind) throws {
    let head = "Name,Type,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value\n"
    let table = try Shelf().read(head + "Good,YES_NO,1,1,,,,\n" + row + "\n")
    let problem = try #require(table.problems.first)
    #expect(problem.kind == kind && problem.field == field && problem.row == 3 && table.refused == 1, "\(problem)")
  }
}
