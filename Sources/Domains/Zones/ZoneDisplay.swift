import CivilTime

/// The zone that days are told in.
package enum ZoneDisplay: Hashable, Sendable {
  /// The one the device is in, wherever that is.
  case current
  /// The one the person lives in.
  case home
  /// One that was chosen, by name.
  case custom(String)
}

/// What a person answers when the device is found in another zone.
package enum ZoneChoice: String, Hashable, Sendable, CaseIterable {
  /// Days stay those of home.
  case keepHome
  /// Days are those of wherever the device is.
  case useCurrent
  /// This is home now, and days are those of home.
  case movedHere
}

/// One step in the history of zones.
package struct ZoneChange: Hashable, Sendable {
  /// What led to a change; more may come.
  package struct Trigger: RawRepresentable, Hashable, Sendable {
    /// The name as it is stored.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The device was in another zone than before.
    package static let deviceChange = Trigger(rawValue: "deviceChange")
    /// The person named another home.
    package static let userUpdate = Trigger(rawValue: "userUpdate")
    /// The person chose another zone to tell days in.
    package static let displayModeChange = Trigger(rawValue: "displayModeChange")
    /// The beginning.
    package static let install = Trigger(rawValue: "install")
  }

  /// When.
  package let at: Instant
  /// The name of the zone before; the same as `to` at the beginning.
  package let from: String
  /// The name of the zone after.
  package let to: String
  /// What led to it.
  package let trigger: Trigger

  package init(at: Instant, from: String, to: String, trigger: Trigger) {
    self.at = at
    self.from = from
    self.to = to
    self.trigger = trigger
  }
}
