import CivilTime
import DaybookProtocol

/// The confirmation of a deletion: valid once, on one connection, for one scope, for a limited time.
struct DeletionToken {
  /// Milliseconds for which it is valid.
  static let lifetime: Int64 = 300_000

  let text: String
  let scope: DeletionScope
  let expiresAt: Instant

  /// Whether it confirms a deletion of this scope now.
  func confirms(_ text: String, _ scope: DeletionScope, now: Instant) -> Bool {
    self.text == text && self.scope == scope && now < expiresAt
  }
}
