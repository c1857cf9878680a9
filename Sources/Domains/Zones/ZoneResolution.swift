import CivilTime

/// The rules that days are told by, and whether they are those that were asked for.
package struct ZoneResolution: Sendable {
  /// The rules in force.
  package let rules: TimeZoneRules
  /// The name that was asked for.
  package let asked: String
  /// Why the device's own zone stands in; nil when the rules are those asked for. Belongs in a health report.
  package let problem: TimeZoneError?

  /// Whether the device's own zone stands in for one that cannot be had.
  package var isFallback: Bool { problem != nil }
}

extension ZoneState {
  /// The rules that days are told by, with the device in the zone `device` right now, whose rules stand in for those of a
  /// name that `database` does not have.
  package func resolved(device: TimeZoneRules, database: some TimeZoneDatabase) -> ZoneResolution {
    let name = displayName(device: device.name)
    // The device's zone may have no name but a TZ string, and no file in the database.
    guard name != device.name else { return ZoneResolution(rules: device, asked: name, problem: nil) }
    do {
      return ZoneResolution(rules: try database.rules(named: name), asked: name, problem: nil)
    } catch {
      return ZoneResolution(rules: device, asked: name, problem: error)
    }
  }
}
