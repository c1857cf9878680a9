import CivilTime

/// The home zone, the device's last zone, the display zone, and their history.
///
/// Zones are names, kept even if this machine's database does not have them. Transitions return a new state.
package struct ZoneState: Hashable, Sendable {
  /// The user's home zone.
  package internal(set) var home: String
  /// The zone the device was last seen in.
  package internal(set) var current: String
  /// The zone that days are counted in.
  package internal(set) var display: ZoneDisplay
  /// The latest changes, at most 100, oldest first.
  package internal(set) var history: [ZoneChange]

  package static let maximumHistory = 100

  /// The state at the first start: home is the device's zone.
  package init(installedIn device: String, at instant: Instant) {
    home = device
    current = device
    display = .current
    history = [ZoneChange(at: instant, from: device, to: device, trigger: .install)]
  }

  /// The zone that days are counted in while the device is in `device`.
  package func displayName(device: String) -> String {
    switch display {
    case .current: device
    case .home: home
    case .custom(let name): name
    }
  }

  /// The device's change of zone; nil when there is none. Does not change the state.
  package func detect(device: TimeZoneRules, database: some TimeZoneDatabase) -> ZoneDetection? {
    guard device.name != current else { return nil }
    let last = try? database.rules(named: current)
    return ZoneDetection(
      from: current, to: device.name, home: home, showsSameClock: last?.showsSameClock(as: device) ?? false)
  }

  /// The state after a detected change. Idempotent.
  package func moved(_ detection: ZoneDetection, at instant: Instant) -> ZoneState {
    guard detection.to != current else { return self }
    var state = self
    state.current = detection.to
    state.append(ZoneChange(at: instant, from: current, to: detection.to, trigger: .deviceChange))
    return state
  }

  /// The state after the user's answer to a detected change.
  package func choosing(_ choice: ZoneChoice, at instant: Instant) -> ZoneState {
    switch choice {
    case .keepHome: return displaying(.home, at: instant)
    case .useCurrent: return displaying(.current, at: instant)
    case .movedHere:
      var state = self
      state.home = current
      if home != current {
        state.append(ZoneChange(at: instant, from: home, to: current, trigger: .userUpdate))
      }
      return state.displaying(.home, at: instant)
    }
  }

  /// The state with another display zone. Throws the error of `database` for an unknown chosen zone.
  package func displaying(
    _ display: ZoneDisplay, at instant: Instant, database: some TimeZoneDatabase
  ) throws(TimeZoneError) -> ZoneState {
    if case .custom(let name) = display, display != self.display { _ = try database.rules(named: name) }
    return displaying(display, at: instant)
  }

  /// The state with another display zone, unchecked.
  private func displaying(_ display: ZoneDisplay, at instant: Instant) -> ZoneState {
    guard display != self.display else { return self }
    var state = self
    state.display = display
    let (from, to) = (displayName(device: current), state.displayName(device: current))
    state.append(ZoneChange(at: instant, from: from, to: to, trigger: .displayModeChange))
    return state
  }

  /// Appends a change and drops the oldest beyond the limit.
  private mutating func append(_ change: ZoneChange) {
    history.append(change)
    if history.count > ZoneState.maximumHistory { history.removeFirst(history.count - ZoneState.maximumHistory) }
  }
}
