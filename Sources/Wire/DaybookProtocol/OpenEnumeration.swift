/// An enumeration that preserves unknown names from later versions.
package protocol OpenEnumeration {
  /// The known values, in the protocol's order.
  static var known: [Self] { get }
  /// The name on the wire.
  var rawValue: String { get }
  /// A value of a later version.
  static func unknown(_ name: String) -> Self
}

extension OpenEnumeration {
  /// The value named `name`, known or not.
  package init(rawValue name: String) { self = Self.known.first { $0.rawValue == name } ?? .unknown(name) }
}

extension ReminderAction: OpenEnumeration {}
extension ReminderSource: OpenEnumeration {}
