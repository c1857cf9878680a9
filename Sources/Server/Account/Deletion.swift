import DaybookProtocol

/// A deletion of everything that this client has prepared, or that is running for it.
struct Deletion {
  var token: DeletionToken?
  /// While the deletion runs: how often the folder had been replaced before, as last announced.
  var since: Int?
}

/// The confirmation of a deletion: valid once, on one connection, for one scope, for a limited time.
struct DeletionToken {
  /// Milliseconds for which it is valid.
  static let lifetime: Int64 = 300_000

  let text: String
  let scope: DeletionScope
  let expiresAt: Instant

  func confirms(_ text: String, _ scope: DeletionScope, now: Instant) -> Bool {
    self.text == text && self.scope == scope && now < expiresAt
  }
}
