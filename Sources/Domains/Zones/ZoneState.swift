import CivilTime

/// Where a person lives, where the device was last seen, in which zone days are told, and how that came to be.
///
/// Zones are names, kept as given even if this machine's database does not have them. Transitions give a new state.
package struct ZoneState: Hashable, Sendable {
  /// The name of the zone the person lives in.
  package internal(set) var home: String
  /// The name of the zone the device was last seen in.
  package internal(set) var current: String
  /// The zone that days are told in.
  package internal(set) var display: ZoneDisplay
  /// The latest changes, at most 100, the newest last.
  package internal(set) var history: [ZoneChange]

  /// The most changes that are kept.
  package static let maximumHistory = 100

  /// The state of a first start: home is where the device is.
  package init(installedIn device: String, at instant: Instant) {
    home = device
    current = device
    display = .current
    history = [ZoneChange(at: instant, from: device, to: device, trigger: .install)]
  }

  /// Whether the device was last seen in another zone than home.
  package var isTravelling: Bool { current != home }

  /// The name of the zone that days are told in, with the device in `device` right now.
  package func displayName(device: String) -> String {
    switch display {
    case .current: device
    case .home: home
    case .custom(let name): name
    }
  }

  /// The change that the device's zone means; nil when it is the one last seen. Changes nothing: that is for `moved`.
  package func detect(device: TimeZoneRules, database: some TimeZoneDatabase) -> ZoneDetection? {
    guard device.name != current else { return nil }
    let last = try? database.rules(named: current)
    return ZoneDetection(
      from: current, to: device.name, home: home, showsSameClock: last?.showsSameClock(as: device) ?? false)
  }

  /// The state after a detected change. One that an earlier detection already brought changes nothing.
  package func moved(_ detection: ZoneDetection, at instant: Instant) -> ZoneState {
    guard detection.to != current else { return self }
    var state = self
    state.current = detection.to
    state.append(ZoneChange(at: instant, from: current, to: detection.to, trigger: .deviceChange))
    return state
  }

  /// The state after a person's answer to a detected change.
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

  /// The state with days told in another zone. Throws what `database` throws for a chosen name it has no rules for.
  package func displaying(
    _ display: ZoneDisplay, at instant: Instant, database: some TimeZoneDatabase
  ) throws(TimeZoneError) -> ZoneState {
    if case .custom(let name) = display, display != self.display { _ = try database.rules(named: name) }
    return displaying(display, at: instant)
  }

  /// The state with days told in a zone that is known to be one.
  private func displaying(_ display: ZoneDisplay, at instant: Instant) -> ZoneState {
    guard display != self.display else { return self }
    var state = self
    state.display = display
    let (from, to) = (displayName(device: current), state.displayName(device: current))
    state.append(ZoneChange(at: instant, from: from, to: to, trigger: .displayModeChange))
    return state
  }

  /// Takes a change and lets go of the oldest when there are too many.
  private mutating func append(_ change: ZoneChange) {
    history.append(change)
    if history.count > ZoneState.maximumHistory { history.removeFirst(history.count - ZoneState.maximumHistory) }
  }
}
