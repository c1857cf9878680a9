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
