import CivilTime
import DaybookProtocol

/// Why there is no estimate.
package struct EstimatorFailure: Error, Sendable, Equatable {
  /// The kind of failure; nil when it is not wanted any more.
  package let cause: EstimatorCause?
  /// One sentence for people, without keys.
  package let message: String
  /// Where the answer is at fault, with `badAnswer`: a JSON Pointer within the estimate, or within what the endpoint said around it.
  package var pointer: String?
  /// What would have been right there.
  package var allowed: String?
  /// When asking again may help, if that was said.
  package var retryAt: Instant?

  package init(
    _ cause: EstimatorCause, _ message: String, pointer: String? = nil, allowed: String? = nil, retryAt: Instant? = nil
  ) {
    self.cause = cause
    self.message = message
    self.pointer = pointer
    self.allowed = allowed
    self.retryAt = retryAt
  }

  private init(cancelled message: String) {
    cause = nil
    self.message = message
  }

  /// It was cancelled.
  package static let cancelled = EstimatorFailure(cancelled: "cancelled before there was an answer")
}
