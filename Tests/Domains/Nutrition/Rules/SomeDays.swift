import DaybookProtocol
import SettingsDocument

@testable import Nutrition

/// Facts of days for tests.
enum SomeDays {
  /// A Monday.
  static let monday = CivilDay(daysSinceEpoch: 20_458)

  /// Maintenance 2763, target 500, rest day on.
  static let settings = SettingsRules.defaults

  /// The same without a rest day.
  static let strict: Settings = {
    var settings = SettingsRules.defaults
    settings.weeklyRestDayEnabled = false
    return settings
  }()

  /// A day after the Monday with an intake; nil for nothing logged.
  static func day(_ offset: Int, consumed: Int?, fasted: Bool = false) -> DayFacts {
    var facts = DayFacts(monday.advanced(by: offset))
    if let consumed { facts.totals.add(calories: consumed, protein: nil, carbs: nil, fat: nil) }
    facts.fasted = fasted
    return facts
  }

  /// Days from the Monday on with these deficits; nil for a day without data.
  static func with(deficits: [Int?]) -> [DayFacts] {
    deficits.enumerated().map { offset, deficit in day(offset, consumed: deficit.map { settings.totalCalories - $0 }) }
  }
}

/// A small deterministic generator (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
