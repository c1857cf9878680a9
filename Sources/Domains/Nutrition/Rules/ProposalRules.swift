import DaybookProtocol

/// When to propose a measured expenditure instead of the one in the settings.
package enum ProposalRules {
  /// A difference up to this, kcal a day, is not worth a change: that of a day on track.
  static let worthwhile = 50

  /// What to propose, or why nothing.
  package enum Outcome: Sendable, Equatable {
    /// kcal a day.
    case propose(Int)
    case nothing(ProposalReason)
  }

  /// The settings with a measured expenditure.
  package static func accepting(_ total: Int, in settings: Settings) -> Settings {
    var settings = settings
    settings.totalCalories = total
    settings.totalCaloriesSource = .adaptive
    return settings
  }

  /// Proposes an estimate that can be relied on and differs from what is in force by more than it is uncertain. One of low confidence
  /// never moves anything.
  package static func outcome(_ estimate: ExpenditureEstimate, settings: Settings) -> Outcome {
    guard let value = estimate.expenditure, let confidence = estimate.confidence else { return .nothing(.noEstimate) }
    switch confidence {
    case .low, .unknown: return .nothing(.lowConfidence)
    case .medium, .high: break
    }
    guard (1...20_000).contains(value) else { return .nothing(.noEstimate) }
    guard abs(value - settings.totalCalories) > worthwhile else { return .nothing(.closeEnough) }
    guard abs(value - settings.totalCalories) > estimate.uncertainty ?? 0 else { return .nothing(.withinUncertainty) }
    return .propose(value)
  }
}
