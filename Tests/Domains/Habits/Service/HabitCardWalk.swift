import CivilTime
import DaybookServer
import FileStoreTesting
import JSON
import ProcessTesting
import ServerTesting

/// A walk of cards while days end, the user travels, clocks are set, the start of the day moves, and habits and logs
/// change. After each step every open card must equal the same card in a fresh process.
struct HabitCardWalk {
  private let folder: String
  private let clock = TravelledClock()
  private let service: InProcessService
  private let zones = SystemTimeZoneDatabase.fromEnvironment()
  private var random: SeededGenerator
  private var zone = "UTC"
  private var dayStartsAt = 0
  /// The violations found.
  private(set) var mismatches: [String] = []
  /// How often the user's day began or ended.
  private(set) var newDays = 0
  private var today = ""
  private static let habits = (1...4).map { "e0000000-0000-4000-8000-00000000000\($0)" }
  private static let schedules = [
    #"{"kind":"daily"}"#, #"{"kind":"weekdays","weekdays":["monday","saturday"]}"#, #"{"kind":"perWeek","times":3}"#,
    #"{"kind":"perMonth","times":2}"#, #"{"kind":"everyDays","days":3}"#, #"{"kind":"perDays","times":2,"days":5}"#,
  ]
  /// Zones up to a day apart, with clock changes of half an hour, at midnight, and in the southern hemisphere.
  private static let places = [
    "UTC", "Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago", "Australia/Lord_Howe", "Africa/Cairo",
    "America/Santiago", "Asia/Kathmandu",
  ]

  init?(folder: String, seed: UInt64) {
    let clock = clock
    guard let service = InProcessService(folder: folder, { $0.now = { clock.next() } }) else { return nil }
    self.folder = folder
    self.service = service
    random = SeededGenerator(seed: seed)
    // Shortly before clocks change in Europe or the south, or any day.
    clock.travel(days: [80, 88, 290, 0][Int(seed % 4)])
  }

  /// Walks the given steps and on until three days have begun or ended, but at most 200 steps more.
  mutating func run(steps: Int) {
    for id in HabitCardWalk.habits { add(id) }
    today = shownToday()
    _ = service.call("cards/open", #"{"rows":"auto"}"#)
    for step in 0..<steps + 200 where mismatches.isEmpty && (step < steps || newDays <= 2) {
      switch random.below(10) {
      case 0..<4: passTime()
      case 4: travel()
      case 5..<8: change()
      default: move()
      }
      compare()
    }
    service.close()
  }

  private mutating func pick(_ texts: [String]) -> String { texts[random.below(texts.count)] }

  /// A day near the user's today.
  private mutating func day(_ range: ClosedRange<Int>) -> String {
    let day = CivilDay(today)?.advanced(by: range.lowerBound + random.below(range.count))
    return day.map { "\($0)" } ?? today
  }

  private mutating func add(_ id: String) {
    let target = pick([
      #""unit":"x","target":"3""#, #""kind":"bad","unit":"x","target":"2""#, #""source":"water","target":"500""#,
      #""icon":"i""#,
    ])
    _ = service.call(
      "habits/add",
      #"{"id":"\#(id)","name":"\#(id)","startDay":"2025-12-01","schedule":\#(pick(HabitCardWalk.schedules)),\#(target)}"#
    )
  }

  // MARK: steps

  private mutating func passTime() {
    switch random.below(4) {
    case 0: clock.travel(days: 1 + random.below(3))
    case 1: clock.travel(minutes: 30)
    default: clock.travel(minutes: 60 * (1 + random.below(20)))
    }
  }

  private mutating func travel() {
    if random.once(in: 3) {
      dayStartsAt = random.below(7)
      _ = service.call("settings/update", #"{"dayStartsAt":\#(dayStartsAt)}"#)
    } else if random.once(in: 4) {
      _ = service.call("settings/update", #"{"firstWeekday":"\#(pick(["monday", "saturday", "sunday"]))"}"#)
    } else {
      zone = pick(HabitCardWalk.places)
      _ = service.call("settings/update", #"{"timeZoneMode":"custom","customTimeZone":"\#(zone)"}"#)
    }
  }

  private mutating func change() {
    let (habit, day) = (pick(HabitCardWalk.habits), day(-40...2))
    let value = random.below(5)
    let place = #""habitId":"\#(habit)","day":"\#(day)","allowFuture":true"#
    switch random.below(14) {
    case 0..<3: _ = service.call("habitLogs/add", #"{\#(place),"value":"\#(value)"}"#)
    case 3, 4: _ = service.call("habitLogs/increment", #"{"habitId":"\#(habit)","by":"1"}"#)
    case 5: _ = service.call("habitLogs/setValue", #"{\#(place),"value":\#(random.once(in: 2) ? "null" : "\"2\"")}"#)
    case 6: _ = service.call("habitLogs/skip", "{\(place)}")
    case 7: _ = service.call("habitLogs/complete", "{\(place)}")
    case 8: undo()
    case 9: _ = service.call("water/add", #"{"day":"\#(day)","value":"\#(value * 200 + 1)"}"#)
    case 10: _ = service.call("habits/pause", #"{"id":"\#(habit)","from":"\#(day)","to":"\#(self.day(3...6))"}"#)
    case 11: _ = service.call(random.once(in: 2) ? "habits/archive" : "habits/restore", #"{"id":"\#(habit)"}"#)
    case 12: _ = service.call("habits/update", #"{"id":"\#(habit)","schedule":\#(pick(HabitCardWalk.schedules))}"#)
    default:
      _ = service.call("habits/delete", #"{"id":"\#(habit)"}"#)
      add(habit)
    }
  }

  /// Undoes the latest change, which may be one of the settings.
  private mutating func undo() {
    _ = service.call("changes/undo", "{}")
    let settings = service.call("settings/get", "{}")["result"]?["settings"]
    dayStartsAt = settings?["dayStartsAt"]?.integer ?? 0
    zone = service.call("zones/get", "{}")["result"]?["state"]?["display"]?.string ?? ""
  }

  private mutating func move() {
    switch random.below(6) {
    case 0: _ = service.call("cards/open", #"{"rows":"auto"}"#)
    case 1: _ = service.call("cards/seek", #"{"lastDay":"\#(day(-60...10))"}"#)
    case 2, 3: _ = service.call("cards/shift", #"{"by":\#(random.once(in: 2) ? 1 : -1)}"#)
    case 4: _ = service.call("cards/shift", #"{"by":\#(random.below(90) - 45)}"#)
    default: if random.once(in: 2) { DigestRounds.checkpoint(folder) }
    }
  }

  // MARK: invariants

  private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { mismatches.append(what()) }
  }

  private func shownToday() -> String { service.call("session/get", "{}")["result"]?["today"]?.string ?? "" }

  /// The wall-clock day, given the hour that days start at: a second implementation of the rule.
  private func wallToday() -> String {
    guard let rules = try? zones.rules(named: zone) else { return "no zone" }
    let shown = rules.wallClock(at: clock.next())
    return "\(shown.secondOfDay < dayStartsAt * 3600 ? shown.day.advanced(by: -1) : shown.day)"
  }

  private mutating func compare() {
    let before = today
    today = shownToday()
    if today != before { newDays += 1 }
    let wall = wallToday()
    let place = "on \(today) in \(zone) from \(dayStartsAt) on"
    expect(today == wall, "\(place) it is \(wall) by the wall")
    let check = service.call("cards/check", "{}")
    expect(check["result"]?["sound"]?.boolean == true, check.text)
    let clock = clock
    guard let cold = InProcessService(folder: folder, { $0.now = { clock.next() } }) else {
      return expect(false, "no pipes")
    }
    for card in service.call("cards/get", "{}")["result"]?["cards"]?.array ?? [] {
      let (habit, lastDay) = (card["habitId"]?.string ?? "", card["lastDay"]?.string ?? "")
      let fresh = cold.call("cards/open", #"{"habitIds":["\#(habit)"],"lastDay":"\#(lastDay)","rows":"auto"}"#)
      let other = fresh["result"]?["cards"]?.array.first
      expect(
        HabitCardWalk.content(card) == other.flatMap(HabitCardWalk.content),
        "\(place): \(card.text) and of a new process \(fresh.text)")
    }
    cold.close()
  }

  /// A card without its own id.
  private static func content(_ card: JSONValue) -> [String: JSONValue]? {
    guard case .object(let object) = card else { return nil }
    return Dictionary(uniqueKeysWithValues: object.members.filter { $0.name != "id" }.map { ($0.name, $0.value) })
  }
}
