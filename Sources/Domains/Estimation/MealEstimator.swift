import DaybookProtocol

/// Estimates meals that are described in words: an endpoint on the network, the frontend, or a fake.
package protocol MealEstimator: Sendable {
  /// Returns the unvalidated answer, which `EstimateAnswer` parses. Returns early when the task is cancelled.
  func ask(_ question: MealQuestion) async -> Result<EstimatorReply, EstimatorFailure>
}

package struct MealQuestion: Sendable, Equatable {
  /// The user's words; not empty.
  package let description: String
  package let mealType: MealType?
  /// Milliseconds.
  package let timeout: Int

  package init(description: String, mealType: MealType? = nil, timeout: Int) {
    self.description = description
    self.mealType = mealType
    self.timeout = timeout
  }
}

/// The answer of an estimator.
package struct EstimatorReply: Sendable, Equatable {
  /// A text that should contain an estimate as JSON.
  package let text: String
  package let model: String?

  package init(text: String, model: String? = nil) {
    self.text = text
    self.model = model
  }
}

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
