/// What has been exercised: names of the protocol's items.
package struct Seen: Sendable, Equatable {
  /// Methods that were answered with a result, or with an error of their own.
  package var methods: Set<String> = []
  /// Notifications that were sent or received.
  package var notifications: Set<String> = []
  /// Types that values were checked against.
  package var types: Set<String> = []
  /// Errors that were received.
  package var errors: Set<String> = []

  /// Nothing yet.
  package init() {}

  /// Takes in what another run has seen.
  package mutating func formUnion(_ other: Seen) {
    methods.formUnion(other.methods)
    notifications.formUnion(other.notifications)
    types.formUnion(other.types)
    errors.formUnion(other.errors)
  }
}
