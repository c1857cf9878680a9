import DaybookProtocol
import SettingsDocument
import Testing

@testable import Nutrition

struct ProposalRulesTests {
  private func estimate(_ value: Int?, _ confidence: ExpenditureConfidence?) -> ExpenditureEstimate {
    ExpenditureEstimate(
      expenditure: value, confidence: confidence, clamped: false, days: 27, loggedDays: 27, weightDays: 28)
  }

  @Test(
    "Only a confident and different estimate is proposed",
    arguments: [
      (2550, .high, .propose(2550)), (2550, .medium, .propose(2550)), (2550, .low, .nothing(.lowConfidence)),
      (2813, .high, .nothing(.closeEnough)), (2713, .high, .nothing(.closeEnough)), (2814, .high, .propose(2814)),
      (nil, nil, .nothing(.noEstimate)),
    ] as [(Int?, ExpenditureConfidence?, ProposalRules.Outcome)])
  func outcomes(_ value: Int?, _ confidence: ExpenditureConfidence?, _ outcome: ProposalRules.Outcome) {
    #expect(ProposalRules.outcome(estimate(value, confidence), settings: SettingsRules.defaults) == outcome)
  }

  @Test("An accepted proposal is adaptive, survives changed measures, and is replaced when recomputed")
  func accepted() {
    let accepted = ProposalRules.accepting(2550, in: SettingsRules.defaults)
    #expect(accepted.totalCalories == 2550 && accepted.totalCaloriesSource == .adaptive)
    #expect(accepted.targetDeficit == SettingsRules.defaults.targetDeficit)
    let older = SettingsRules.applying(SettingsUpdateParams(age: 60), to: accepted)
    #expect(older.totalCalories == 2550 && older.totalCaloriesSource == .adaptive)
    let recomputed = SettingsRules.applying(SettingsUpdateParams(age: 32, recompute: true), to: older)
    #expect(recomputed.totalCalories == 2763 && recomputed.totalCaloriesSource == .computed)
  }
}
