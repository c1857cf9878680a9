/// That the device is in another zone than it was last seen in.
package struct ZoneDetection: Hashable, Sendable {
  /// The name of the zone it was last seen in.
  package let from: String
  /// The name of the zone it is in.
  package let to: String
  /// The name of the zone the person lives in.
  package let home: String
  /// Whether no clock tells the two apart, as with Europe/Kiev and Europe/Kyiv: there is nothing to ask a person then.
  package let showsSameClock: Bool

  package init(from: String, to: String, home: String, showsSameClock: Bool) {
    self.from = from
    self.to = to
    self.home = home
    self.showsSameClock = showsSameClock
  }

  /// Whether the device is away from home now.
  package var isTravelling: Bool { to != home }
}
