import DaybookProtocol
import Testing

@testable import SettingsDocument

@Suite("What the introduction comes to")
struct OnboardingRulesTests {
  @Test("Progress rises from step to step, up to 100")
  func progress() {
    let percents = OnboardingRules.steps.map { OnboardingRules.progress(at: $0) }
    #expect(percents == percents.sorted())
    #expect(Set(percents).count == percents.count)
    #expect(percents.last == 100)
    #expect(OnboardingRules.progress(at: .unknown("later")) == percents.first)
  }

  @Test("A later choice wins, and one that is not repeated stays")
  func merging() {
    let first = OnboardingRules.merging(OnboardingChoices(sex: .female, age: 30, currency: "EUR"), into: nil)
    let second = OnboardingRules.merging(OnboardingChoices(age: 31, deficitRate: .fast), into: first)
    #expect(second == OnboardingChoices(sex: .female, age: 31, deficitRate: .fast, currency: "EUR"))
    #expect(OnboardingRules.merging(nil, into: second) == second)
    #expect(OnboardingRules.merging(nil, into: nil) == OnboardingChoices())
  }

  @Test("Choices become settings, and other settings stay")
  func update() {
    let choices = OnboardingChoices(
      sex: .female, age: 30, height: Decimal(165), startingWeight: Decimal(65), currency: "EUR")
    let settings = SettingsRules.applying(OnboardingRules.update(choices), to: SettingsRules.defaults)
    #expect(
      SettingsChanges.names(from: SettingsRules.defaults, to: settings)
        == ["totalCalories", "sex", "age", "height", "startingWeight", "currency"])
    #expect(settings.totalCalories == 2124)
    #expect(SettingsRules.applying(OnboardingRules.update(OnboardingChoices()), to: settings) == settings)
  }
}
