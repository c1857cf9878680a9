import DaybookProtocol

/// Somebody who estimates meals described in words: an endpoint on the network, the frontend, or a fake.
package protocol MealEstimator: Sendable {
  /// Asks. What is answered is not looked at here: `EstimateAnswer` does that for all of them in the same way. Ends early when the task
  /// is cancelled.
  func ask(_ question: MealQuestion) async -> Result<EstimatorSaying, EstimatorFailure>
}

/// What is asked.
package struct MealQuestion: Sendable, Equatable {
  /// What was eaten, in the user's words; not empty.
  package let description: String
  /// Which meal of the day it was, if that is known.
  package let mealType: MealType?
  /// How long it may take, in milliseconds.
  package let timeout: Int

  package init(description: String, mealType: MealType? = nil, timeout: Int) {
    self.description = description
    self.mealType = mealType
    self.timeout = timeout
  }
}

/// What an estimator said.
package struct EstimatorSaying: Sendable, Equatable {
  /// A text that should contain an estimate as JSON.
  package let text: String
  /// Which model said it, if that is known.
  package let model: String?

  package init(text: String, model: String? = nil) {
    self.text = text
    self.model = model
  }
}
