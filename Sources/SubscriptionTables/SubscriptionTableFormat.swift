import CivilTime
import Subscriptions
import Tables
import Values

/// Whose table of subscriptions it is.
package enum SubscriptionTableFormat: String, CaseIterable, Sendable {
  /// Written by `SubscriptionTableExport`.
  case daybook
  /// Subsum's export, with its dates that are not quoted and quotes that are not doubled.
  case subsum
  /// Wallos' list.
  case wallos
  /// SubTrackr's export.
  case subTrackr
  /// Any other, with a name and an amount at least.
  case other
}

/// What a caller says of a table of subscriptions; what is nil is found out.
package struct SubscriptionTableOptions: Sendable {
  /// Whose it is.
  package var format: SubscriptionTableFormat?
  package var scan = ScanOptions()
  /// What amounts are in where nothing says it.
  package var currency: Currency?
  /// Of what is there, the currencies of its prices that ISO 4217 does not list, or no longer: a row of our own with
  /// its id may keep them.
  package var unlisted: [EntityID: Set<Currency>] = [:]
  /// The day that it is read on: what has no day at all begins on it, and what is said to be over or paused is from then on.
  package var today: CivilDay

  package init(today: CivilDay) { self.today = today }
}
