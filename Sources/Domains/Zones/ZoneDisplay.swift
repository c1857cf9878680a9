import CivilTime

/// The zone that days are counted in.
package enum ZoneDisplay: Hashable, Sendable {
  /// The device's zone.
  case current
  /// The home zone.
  case home
  /// A chosen zone, by name.
  case custom(String)
}

/// The user's answer to a change of the device's zone.
package enum ZoneChoice: String, Hashable, Sendable, CaseIterable {
  /// Days stay in the home zone.
  case keepHome
  /// Days follow the device.
  case useCurrent
  /// The new zone becomes the home zone, and days are counted in it.
  case movedHere
}

/// An entry of the zone history.
package struct ZoneChange: Hashable, Sendable {
  /// The cause of a change; later versions may add more.
  package struct Trigger: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The device changed zones.
    package static let deviceChange = Trigger(rawValue: "deviceChange")
    /// The user changed the home zone.
    package static let userUpdate = Trigger(rawValue: "userUpdate")
    /// The user changed the display zone.
    package static let displayModeChange = Trigger(rawValue: "displayModeChange")
    /// The first start.
    package static let install = Trigger(rawValue: "install")
  }

  package let at: Instant
  /// The zone before; equal to `to` at the first start.
  package let from: String
  /// The zone after.
  package let to: String
  package let trigger: Trigger
}
