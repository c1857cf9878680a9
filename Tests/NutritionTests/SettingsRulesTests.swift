import DaybookProtocol
import Testing
import Values

@testable import Nutrition

struct SettingsRulesTests {
  private let start = SettingsRules.defaults

  private func after(_ updates: SettingsUpdateParams...) -> Settings {
    updates.reduce(start) { SettingsRules.applying($1, to: $0) }
  }

  @Test("Untouched defaults are what the numbers follow from")
  func defaults() {
    #expect(start.totalCalories == 2763)
    #expect(start.targetDeficit == 500)
  }

  @Test("A pace sets the deficit, alone or over a custom one")
  func pace() {
    #expect(after(SettingsUpdateParams(deficitRate: .fast)).targetDeficit == 750)
    let chosen = after(SettingsUpdateParams(targetDeficit: 999), SettingsUpdateParams(deficitRate: .gentle))
    #expect(chosen.targetDeficit == 300)
    #expect(chosen.targetDeficitSource == .computed)
  }

  @Test("A number given together with a pace or a measure is kept")
  func together() {
    #expect(after(SettingsUpdateParams(targetDeficit: 999, deficitRate: .fast)).targetDeficit == 999)
    let settings = after(SettingsUpdateParams(totalCalories: 2500, age: 40))
    #expect(settings.totalCalories == 2500)
    #expect(settings.totalCaloriesSource == .custom)
    #expect(settings.age == 40)
  }

  @Test("Custom numbers survive changes of the measures until they are recomputed")
  func custom() {
    let kept = after(
      SettingsUpdateParams(totalCalories: 2500, targetDeficit: 111), SettingsUpdateParams(age: 50),
      SettingsUpdateParams(sex: .female))
    #expect(kept.totalCalories == 2500)
    #expect(kept.targetDeficit == 111)
    let again = SettingsRules.applying(SettingsUpdateParams(recompute: true), to: kept)
    #expect(again.totalCaloriesSource == .computed)
    #expect(again.targetDeficit == 500)
    #expect(
      again.totalCalories
        == EnergyRules.totalCalories(
          EnergyRules.Person(
            sex: .female, age: 50, height: again.height, weight: again.startingWeight,
            activityLevel: again.activityLevel)))
  }

  @Test("Computed numbers follow the measures")
  func computed() {
    #expect(after(SettingsUpdateParams(activityLevel: .veryActive)).totalCalories == 3075)
    #expect(after(SettingsUpdateParams(sex: .female)).totalCalories == 2506)
  }

  @Test("Only what differs is named, in order")
  func names() {
    let new = after(SettingsUpdateParams(deficitRate: .fast, height: Decimal("178.0"), activityLevel: .veryActive))
    #expect(
      SettingsRules.changes(from: start, to: new) == ["totalCalories", "targetDeficit", "deficitRate", "activityLevel"])
    #expect(SettingsRules.changes(from: start, to: start).isEmpty)
    #expect(Settings.memberNames.count == 11)
  }
}
