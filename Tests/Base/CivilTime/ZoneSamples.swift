import Testing

@testable import CivilTime

/// Zones that cover all variations: no changes, both hemispheres, half and odd hours, skipped and repeated days,
/// changes around midnight, negative daylight saving time, footers with and without rules.
enum ZoneSamples {
  static let names = [
    "Europe/Berlin", "Europe/London", "Europe/Dublin", "Europe/Lisbon", "Europe/Moscow", "America/New_York",
    "America/Toronto", "America/St_Johns", "America/Sao_Paulo", "America/Santiago", "America/Havana", "America/Nuuk",
    "America/Caracas", "Australia/Lord_Howe", "Australia/Sydney", "Asia/Kolkata", "Asia/Tehran", "Asia/Gaza",
    "Asia/Kathmandu", "Asia/Beirut", "Africa/Casablanca", "Africa/Cairo", "Africa/Monrovia", "Pacific/Apia",
    "Pacific/Kiritimati", "Pacific/Chatham", "Antarctica/Troll", "Etc/GMT+12",
  ]

  /// The machine's rules for a zone.
  static func rules(_ name: String) throws -> TimeZoneRules {
    try SystemTimeZoneDatabase.fromEnvironment().rules(named: name)
  }

  /// 1900-01-01 and 2200-01-01 in seconds since the epoch.
  static let years: Range<Int64> = -2_208_988_800..<7_258_118_400
}

/// A deterministic random generator (SplitMix64, Steele et al. 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
