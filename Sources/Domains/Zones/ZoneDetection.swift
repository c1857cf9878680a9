/// A change of the device's zone since it was last seen.
package struct ZoneDetection: Hashable, Sendable {
  /// The zone it was last seen in.
  package let from: String
  /// The zone it is in.
  package let to: String
  /// The user's home zone.
  package let home: String
  /// Whether both zones show the same time, as Europe/Kiev and Europe/Kyiv do; then there is nothing to ask the user.
  package let showsSameClock: Bool

  /// Whether the device is away from home.
  package var isTravelling: Bool { to != home }
}
