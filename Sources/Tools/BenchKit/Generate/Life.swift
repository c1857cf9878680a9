import CivilTime
import Values

/// A simulated person: the state that persists from day to day.
struct Life {
  var random: SeededRandom
  /// The density of records, in thousandths of the usual.
  var density = 1000
  /// The current day.
  private(set) var day: CivilDay
  /// The remaining days of the current holiday, in the zone `away`.
  private var holidayLeft = 0
  private var away = Life.zones[0]
  /// The remaining days without meal logs.
  private var slackLeft = 0
  /// The weight without the seasonal part, in grams.
  private var weight = 82_400
  private(set) var habits: [Habit] = []
  /// Foods in the year's order of preference.
  private(set) var breakfast = Foods.breakfast
  private(set) var meals = Foods.meals
  private(set) var snacks = Foods.snacks

  struct Zone {
    let name: TimeZoneName
    /// The offset from UTC in hours, without daylight saving time.
    let offset: Int
  }

  private static let zones = [("Europe/Berlin", 1), ("Europe/Lisbon", 0), ("America/New_York", -5), ("Asia/Tokyo", 9)]
    .compactMap { name, offset in TimeZoneName(name).map { Zone(name: $0, offset: offset) } }

  init(seed: UInt64, from first: CivilDay) {
    random = SeededRandom(seed: seed)
    day = first
    habits = Habits.all
    for index in habits.indices { habits[index].id = newID() }
    chooseFavourites()
  }

  /// Advances to the next day.
  mutating func wakeUp() {
    day = day.advanced(by: 1)
    holidayLeft = max(0, holidayLeft - 1)
    slackLeft = max(0, slackLeft - 1)
    // Two or three times a year.
    if holidayLeft == 0, random.int(0...149) == 0 {
      holidayLeft = random.int(4...17)
      away = Life.zones[random.int(0...Life.zones.count - 1)]
    }
    if slackLeft == 0, random.int(0...699) == 0 { slackLeft = random.int(5...30) }
    if day.components.month == 1, day.components.day == 1 { chooseFavourites() }
    weight += random.middling(-420...420) - (weight - 79_000) / 900
  }

  private mutating func chooseFavourites() {
    breakfast = random.shuffled(breakfast)
    meals = random.shuffled(meals)
    snacks = random.shuffled(snacks)
  }

  // MARK: the current day

  var isHoliday: Bool { holidayLeft > 0 }

  /// Whether the person logs no meals today.
  mutating func isGap() -> Bool {
    if isHoliday { return random.chance(perMille: 550) }
    return slackLeft > 0 || random.chance(perMille: 15)
  }

  var isWeekend: Bool { [2, 3].contains((Int(day.daysSinceEpoch) % 7 + 7) % 7) }

  /// The season, from −100 in midsummer to 100 in midwinter.
  var season: Int {
    let start = CivilDay(year: day.components.year, month: 1, day: 1) ?? day
    let dayOfYear = Int(day.daysSinceEpoch - start.daysSinceEpoch)
    return dayOfYear < 182 ? 100 - dayOfYear * 200 / 182 : min(100, (dayOfYear - 182) * 200 / 183 - 100)
  }

  /// This morning's weight in tenths of a kilogram.
  mutating func weighed() -> Int { (weight + season * 9 + random.middling(-700...700)) / 100 }

  var zone: Zone { isHoliday ? away : Life.zones[0] }

  /// A random count that averages `thousandths` ÷ 1000 at the usual density.
  mutating func count(thousandths: Int) -> Int { random.count(thousandths: thousandths * density / 1000) }

  mutating func newID() -> EntityID { EntityID(randomHigh: random.next(), randomLow: random.next()) }

  /// The instant of a local time of day, in minutes since midnight.
  mutating func instant(minutes: Int) -> Instant {
    let isSummer = (4...10).contains(day.components.month)
    let utc = minutes - (zone.offset + (isSummer ? 1 : 0)) * 60
    let milliseconds = Int64(utc) * 60_000 + Int64(random.int(0...59_999))
    return Instant(milliseconds: Int64(day.daysSinceEpoch) * 86_400_000 + milliseconds)
  }

  /// The time of the last change of something created at `instant`, mostly the same.
  mutating func changed(after instant: Instant) -> Instant {
    guard random.chance(perMille: 50) else { return instant }
    return instant.advanced(by: Int64(random.int(20_000...260_000_000)))
  }
}
