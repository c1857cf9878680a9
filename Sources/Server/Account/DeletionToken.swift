import CivilTime
import DaybookProtocol

/// The second half of a deletion's confirmation: it holds once, on one connection, for one scope, for a while.
struct DeletionToken {
  /// How long it holds, milliseconds.
  static let lifetime: Int64 = 300_000

  let text: String
  let scope: DeletionScope
  let expiresAt: Instant

  /// Whether this is the token somebody shows now, for that.
  func confirms(_ text: String, _ scope: DeletionScope, now: Instant) -> Bool {
    self.text == text && self.scope == scope && now < expiresAt
  }
}
