import DaybookProtocol
import Testing

@testable import SettingsDocument

@Suite("Measures of the settings as typed")
struct TypedMeasuresTests {
  private let feet = TypedHeight(value: Decimal(5), unit: .ft, inches: Decimal(11))
  private let stones = TypedWeight(value: Decimal(12), unit: .st, pounds: Decimal("13.5"))

  private func after(_ updates: SettingsUpdateParams...) -> Settings {
    updates.reduce(SettingsRules.defaults) { SettingsRules.applying($1, to: $0) }
  }

  @Test("A typed measure sets the metric one, and the numbers follow")
  func typed() {
    let settings = after(
      SettingsUpdateParams(heightTyped: feet, startingWeightTyped: stones, targetWeightTyped: stones))
    let metric = after(
      SettingsUpdateParams(
        height: Decimal("180.3"), startingWeight: Decimal("82.33"), targetWeight: Decimal("82.33")))
    #expect(settings.height == metric.height && settings.startingWeight == metric.startingWeight)
    #expect(settings.targetWeight == metric.targetWeight && settings.totalCalories == metric.totalCalories)
    #expect(settings.heightTyped == feet && settings.startingWeightTyped == stones)
    #expect(metric.heightTyped == nil && metric.startingWeightTyped == nil && metric.targetWeightTyped == nil)
    #expect(TypedMeasures.problem(in: settings) == nil)
  }

  @Test("A metric measure alone removes the typed one; other updates keep it")
  func replaced() {
    let typed = SettingsUpdateParams(heightTyped: feet, startingWeightTyped: stones)
    #expect(after(typed, SettingsUpdateParams(age: 40)).heightTyped == feet)
    let metric = after(typed, SettingsUpdateParams(height: Decimal("180.3")))
    #expect(metric.heightTyped == nil && metric.startingWeightTyped == stones)
    #expect(after(typed, SettingsUpdateParams(startingWeight: Decimal(80))).startingWeightTyped == nil)
  }

  @Test("A typed and a metric measure have to agree")
  func both() {
    func problem(_ update: SettingsUpdateParams) -> String? { TypedMeasures.problem(in: update)?.pointer }
    #expect(problem(SettingsUpdateParams(height: Decimal("180.3"), heightTyped: feet)) == nil)
    #expect(problem(SettingsUpdateParams(height: Decimal(180), heightTyped: feet)) == "/heightTyped")
    #expect(
      problem(SettingsUpdateParams(targetWeight: Decimal(82), targetWeightTyped: stones)) == "/targetWeightTyped")
    let giant = TypedHeight(value: Decimal(9), unit: .ft)
    #expect(problem(SettingsUpdateParams(heightTyped: giant)) == "/heightTyped/value")
    #expect(
      TypedMeasures.problem(in: OnboardingChoices(heightTyped: giant), pointer: "/choices")?.pointer
        == "/choices/heightTyped/value")
  }

  @Test("A unit of a later version is not checked")
  func laterUnit() {
    var settings = SettingsRules.defaults
    settings.heightTyped = TypedHeight(value: Decimal(3), unit: .unknown("ell"))
    #expect(TypedMeasures.problem(in: settings) == nil)
  }

  @Test("In onboarding, a measure replaces the earlier one, however it was given")
  func merging() {
    let metric = OnboardingChoices(height: Decimal(170), startingWeight: Decimal(70))
    let typed = OnboardingRules.merging(OnboardingChoices(heightTyped: feet), into: metric)
    #expect(typed.height == nil && typed.heightTyped == feet && typed.startingWeight == Decimal(70))
    let again = OnboardingRules.merging(metric, into: typed)
    #expect(again.height == Decimal(170) && again.heightTyped == nil)
    let settings = after(OnboardingRules.update(typed))
    #expect(settings.height == Decimal("180.3") && settings.heightTyped == feet)
  }

  @Test("Settings without typed measures keep their stored form")
  func storedForm() throws {
    guard case .object(let object) = try JSONValue(json: SettingsRules.defaults.json) else {
      Issue.record("settings are an object")
      return
    }
    for name in ["waterTarget", "heightTyped", "startingWeightTyped", "targetWeightTyped"] {
      #expect(object[name] == nil)
    }
  }
}
