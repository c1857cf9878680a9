import CivilTime
import DaybookProtocol

/// The error of a failed estimate.
package struct EstimatorFailure: Error, Sendable, Equatable {
  /// The kind of failure; nil when cancelled.
  package let cause: EstimatorCause?
  /// One sentence for people, without the key.
  package let message: String
  /// For `badAnswer`, a JSON Pointer into the estimate or the endpoint's reply.
  package var pointer: String?
  /// What was expected there.
  package var allowed: String?
  /// When to retry, if the endpoint stated it.
  package var retryAt: Instant?

  package init(
    _ cause: EstimatorCause?, _ message: String, pointer: String? = nil, allowed: String? = nil, retryAt: Instant? = nil
  ) {
    self.cause = cause
    self.message = message
    self.pointer = pointer
    self.allowed = allowed
    self.retryAt = retryAt
  }

  package static let cancelled = EstimatorFailure(nil, "cancelled before there was an answer")
}
