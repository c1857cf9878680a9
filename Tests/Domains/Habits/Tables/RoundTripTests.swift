import DaybookProtocol
import FileStoreTesting
import Habits
import Tables
import Testing

@testable import HabitTables

@Suite("Daybook's own tables of habits")
struct HabitRoundTripTests {
  private static let parts = [
    ",", "\"", "\n", "\r\n", "🍛", "ü", "=", "+", "-", "@", "\t", "'", " ", "a", "1", ";", "\\", "sep=", "\0", "{",
  ]

  private static func text(_ random: inout SeededGenerator, _ most: Int) -> String {
    (0..<random.below(most)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  private static func visible(_ random: inout SeededGenerator, _ most: Int) -> String? {
    let text = text(&random, most).trimmedCell
    return text.isVisible ? text : nil
  }

  private static func amount(_ random: inout SeededGenerator) -> Decimal {
    Decimal(significand: Int64(random.among(1000...1_000_000)), scale: random.below(4)) ?? Decimal(1)
  }

  private static func day(_ random: inout SeededGenerator) -> CivilDay {
    CivilDay(daysSinceEpoch: Int32(random.among(-20000...60000)))
  }

  private static func weekdays(_ random: inout SeededGenerator) -> [Weekday] {
    let days = Weekday.known.filter { _ in random.once(in: 2) }
    return days.isEmpty ? [.sunday] : days
  }

  private static func schedule(_ random: inout SeededGenerator) -> HabitSchedule {
    switch random.below(6) {
    case 0: HabitSchedule(kind: .daily)
    case 1: HabitSchedule(kind: .weekdays, weekdays: weekdays(&random))
    case 2: HabitSchedule(kind: .perWeek, times: random.among(1...7))
    case 3: HabitSchedule(kind: .perMonth, times: random.among(1...31))
    case 4: HabitSchedule(kind: .everyDays, days: random.among(1...400))
    default: HabitSchedule(kind: .perDays, times: random.among(1...9), days: random.among(9...400))
    }
  }

  /// A random valid habit.
  static func habit(_ number: Int, _ random: inout SeededGenerator) -> Habit {
    var habit = HabitDrafts.blankHabit("\(visible(&random, 8) ?? "Habit") \(number)", day(&random))
    habit.id = EntityID(randomHigh: random.next(), randomLow: random.next())
    habit.question = visible(&random, 8)
    habit.icon = visible(&random, 3)
    habit.colour = random.once(in: 2) ? "#00ffAA" : habit.colour
    habit.kind = random.once(in: 2) ? .good : .bad
    if random.once(in: 2) {
      (habit.measure, habit.unit, habit.target) = (.numeric, visible(&random, 5), amount(&random))
    }
    habit.schedule = schedule(&random)
    habit.endDay = random.once(in: 3) ? habit.startDay.advanced(by: random.below(1000)) : nil
    habit.categoryId = random.once(in: 3) ? EntityID(randomHigh: random.next(), randomLow: random.next()) : nil
    var tags: [String] = []
    for tag in (0..<random.below(4)).map({ _ in text(&random, 5) })
    where tag.isVisible && !tags.contains(where: { $0.lowercased() == tag.lowercased() }) { tags.append(tag) }
    habit.tags = tags.isEmpty ? nil : tags
    habit.order = random.below(6)
    habit.pinned = random.once(in: 3) ? random.once(in: 2) : nil
    let times = random.once(in: 2) ? (0..<random.below(4)).map { _ in random.below(1440) } : []
    let reminders = Set(times).sorted().compactMap { minutes in
      WallTime(minutesOfDay: minutes).map { HabitReminder(time: $0) }
    }.map { reminder in
      var reminder = reminder
      reminder.weekdays = random.once(in: 2) ? weekdays(&random) : nil
      reminder.always = random.once(in: 3) ? random.once(in: 2) : nil
      return reminder
    }
    habit.reminders = reminders.isEmpty ? nil : reminders
    if random.once(in: 3), let latitude = Decimal("-12.345678"), let longitude = Decimal("100.50") {
      habit.place = HabitPlace(
        latitude: latitude, longitude: longitude, radius: 120, trigger: .both, frequency: .everyTime,
        cooldownMinutes: 5, label: visible(&random, 6))
    }
    habit.source = random.once(in: 4) ? .water : nil
    let note = text(&random, 12)
    habit.note = note.isEmpty ? nil : note
    if random.once(in: 3) {
      habit.pauses = [
        HabitPause(from: habit.startDay, to: habit.startDay.advanced(by: 3)),
        HabitPause(from: habit.startDay.advanced(by: 9)),
      ]
    }
    habit.archivedDay = random.once(in: 4) ? habit.startDay : nil
    habit.suggestionId = random.once(in: 4) ? "example.reading" : nil
    (habit.createdAt, habit.updatedAt) = (Shelf.instant, Shelf.instant)
    return habit
  }

  /// Random habits with logs of all kinds.
  static func shelf(_ seed: Int) -> Shelf {
    var random = SeededGenerator(seed: UInt64(seed), number: 17)
    var shelf = Shelf()
    for number in 0..<random.among(1...12) {
      let habit = habit(number, &random)
      shelf.habits[habit.id] = habit
      for _ in 0..<random.below(12) {
        let note = text(&random, 9)
        var log = HabitLog(
          id: EntityID(randomHigh: random.next(), randomLow: random.next()), day: day(&random),
          zone: random.once(in: 2) ? .utc : TimeZoneName("Europe/Berlin") ?? .utc, habitId: habit.id,
          at: random.once(in: 3) ? WallTime(minutesOfDay: random.below(1440)) : nil,
          note: note.isEmpty ? nil : note, createdAt: Shelf.instant, updatedAt: Shelf.instant)
        if random.once(in: 4) {
          log.skipped = true
        } else if log.note == nil || random.once(in: 2) {
          log.value = amount(&random)
        }
        shelf.logs[log.id] = log
      }
    }
    return shelf
  }

  @Test("Any habits and logs survive a round trip through tables, which are rewritten identically", arguments: 0..<60)
  func roundTrip(_ seed: Int) throws {
    let shelf = HabitRoundTripTests.shelf(seed)
    for habit in shelf.habits.values { #expect(HabitRules.refusal(of: habit) == nil, "\(habit)") }
    let tables = shelf.tables(hasMark: seed % 2 == 0)
    var other = Shelf()
    let table = try other.read(tables.habits)
    #expect(table.known.format == .daybook && table.known.kind == .habits)
    #expect(table.problems.isEmpty, "\(table.problems.first.map { "\($0)" } ?? "")")
    try other.take(tables.habits)
    #expect(other.habits == shelf.habits)
    #expect(try other.read(tables.logs).problems.isEmpty)
    try other.take(tables.logs)
    #expect(other.logs == shelf.logs)
    let again = other.tables(hasMark: seed % 2 == 0)
    #expect(again.habits == tables.habits && again.logs == tables.logs)
    // No option adds or changes existing entities.
    for text in [tables.habits, tables.logs] {
      let outcomes = try other.take(text, replaces: true)
      #expect(outcomes.new == 0 && outcomes.different == 0 && other.written == 0)
    }
  }

  @Test("Logs of missing habits create them with their ids and names")
  func logsAlone() throws {
    let shelf = HabitRoundTripTests.shelf(3)
    var other = Shelf()
    try other.take(shelf.tables().logs)
    #expect(other.logs == shelf.logs)
    #expect(Set(other.habits.keys) == Set(shelf.logs.values.map(\.habitId)))
    for habit in other.habits.values {
      #expect(shelf.habits[habit.id]?.name == habit.name)
      #expect(shelf.logs.values.filter { $0.habitId == habit.id }.map(\.day).min() == habit.startDay)
    }
  }

  @Test("No cell is a formula")
  func formulas() throws {
    var habit = HabitDrafts.blankHabit("=1+1", Shelf.today)
    (habit.id, habit.unit, habit.measure, habit.tags) = (Shelf.identity("x"), "@x", .numeric, ["+a", "b;c"])
    (habit.note, habit.question) = ("-x", "'=y")
    var shelf = Shelf()
    shelf.habits[habit.id] = habit
    let text = shelf.tables().habits
    for cell in ["'=1+1", "'@x", "'+a; b\\;c", "'-x", "''=y"] {
      #expect(text.contains(",\(cell),"), "\(cell) in \(text)")
    }
    var other = Shelf()
    try other.take(text)
    #expect(other.habit("=1+1")?.tags == habit.tags && other.habit("=1+1")?.question == "'=y")
  }

  @Test(
    "Schedules are words",
    arguments: [
      ("daily", HabitSchedule(kind: .daily)),
      ("Monday Friday", HabitSchedule(kind: .weekdays, weekdays: [.monday, .friday])),
      ("3 per week", HabitSchedule(kind: .perWeek, times: 3)),
      ("10 per month", HabitSchedule(kind: .perMonth, times: 10)),
      ("every 3 days", HabitSchedule(kind: .everyDays, days: 3)),
      ("2 in 7 days", HabitSchedule(kind: .perDays, times: 2, days: 7)),
      ("", nil), ("sometimes", nil), ("3 per year", nil), ("2 in 7", nil), ("monday never", nil),
    ] as [(String, HabitSchedule?)])
  func schedules(_ text: String, _ schedule: HabitSchedule?) {
    #expect(ScheduleText.schedule(text) == schedule)
  }
}
