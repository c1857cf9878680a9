import DomainKit

/// Determines the days of this connection: from the device's zone, which the client or the system reports, and from the
/// zone and hour in the settings.
struct DayClock {
  private let zones: any TimeZoneDatabase
  private let systemZone: @Sendable () -> SystemTimeZone
  private let warn: @Sendable (LogMessage) -> Void
  /// The device's zone; nil until it is needed.
  private var device: TimeZoneRules?
  /// Whether the client reported the zone; the system's may change.
  private(set) var isClientsZone = false
  /// The last computed day and zone; nil when their inputs may have changed.
  private var known: DayContext?

  init(
    zones: any TimeZoneDatabase, systemZone: @escaping @Sendable () -> SystemTimeZone,
    warn: @escaping @Sendable (LogMessage) -> Void
  ) {
    self.zones = zones
    self.systemZone = systemZone
    self.warn = warn
  }

  mutating func setClientZone(_ zone: TimeZoneRules) {
    device = zone
    isClientsZone = true
    known = nil
  }

  /// Drops the system's zone, which may have changed.
  mutating func forgetSystemZone() {
    guard !isClientsZone else { return }
    device = nil
    known = nil
  }

  /// Drops the computed day, because the settings may have changed.
  mutating func forgetDays() { known = nil }

  mutating func deviceZone(at now: Instant) -> TimeZoneRules {
    if let device { return device }
    let found = systemZone()
    if let problem = found.problem {
      warn("the time zone of the system cannot be used, days are counted in UTC: \(public: problem.message)")
    }
    let rules = named(found.rules, at: now)
    device = rules
    return rules
  }

  /// The rules under a name of the zone database, because the name is stored with what the user logs. Rules from a `TZ`
  /// string without a name become a fixed whole-hour zone, else UTC.
  private func named(_ rules: TimeZoneRules, at now: Instant) -> TimeZoneRules {
    if rules.name.contains("/") || rules.name == TimeZoneName.utc.text { return rules }
    if let name = TimeZoneName(rules.name), let known = try? zones.rules(for: name) { return known }
    let offset = rules.offset(at: now)
    let hours = offset / 3600
    let fixed = TimeZoneName("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))")
    let known = offset % 3600 == 0 ? fixed.flatMap { try? zones.rules(for: $0) } : nil
    let counted = known ?? .utc
    warn(
      "the time zone “\(public: rules.name)” has no name in the zone database; days are counted in \(public: counted.name)"
    )
    return counted
  }

  /// The last computed day, while it lasts.
  func known(at now: Instant) -> DayContext? { known.flatMap { $0.holds(at: now) ? $0 : nil } }

  /// The present day and its zone.
  ///
  /// - Parameters:
  ///   - settings: Evaluated when the day must be computed.
  ///   - home: The home zone of this device.
  mutating func days(
    at now: Instant, settings: @autoclosure () -> Settings, home: @autoclosure () -> TimeZoneName?
  ) -> DayContext {
    let days = known?.at(now) ?? computed(at: now, settings(), home())
    known = days
    return days
  }

  private mutating func computed(at now: Instant, _ settings: Settings, _ home: TimeZoneName?) -> DayContext {
    let here = deviceZone(at: now)
    var (zone, unknown) = (here, String?.none)
    let wanted: TimeZoneName? =
      switch settings.timeZoneMode {
      case .home: settings.homeTimeZone ?? home
      case .custom: settings.customTimeZone
      default: nil
      }
    if let wanted, wanted.text != here.name {
      do throws(TimeZoneError) { zone = try zones.rules(for: wanted) } catch {
        unknown = wanted.text
        warn("the time zone \(public: wanted.text) is not known here; days are counted in \(public: here.name)")
      }
    }
    return DayContext(
      zone: zone, name: TimeZoneName(zone.name) ?? .utc,
      dayStart: DayStart(minutes: settings.dayStartsAt * 60) ?? .midnight, unknownZone: unknown, now: now)
  }
}
