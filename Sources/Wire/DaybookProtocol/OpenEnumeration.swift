/// An enumeration that keeps the names of a later version.
package protocol OpenEnumeration {
  /// The known values, in the protocol's order.
  static var known: [Self] { get }
  /// The name on the wire.
  var rawValue: String { get }
  /// A value of a later version.
  static func unknown(_ name: String) -> Self
}

extension OpenEnumeration {
  /// The value of that name, known or not.
  package init(rawValue name: String) { self = Self.known.first { $0.rawValue == name } ?? .unknown(name) }
}

extension ReminderAction: OpenEnumeration {}
extension ReminderSource: OpenEnumeration {}
