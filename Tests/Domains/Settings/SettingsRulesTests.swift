import CollectionTables
import DaybookProtocol
import Testing

@testable import SettingsDocument

struct SettingsRulesTests {
  private let start = SettingsRules.defaults

  private func after(_ updates: SettingsUpdateParams...) -> Settings {
    updates.reduce(start) { SettingsRules.applying($1, to: $0) }
  }

  @Test("The numbers follow from the defaults")
  func defaults() {
    #expect(start.totalCalories == 2763)
    #expect(start.targetDeficit == 500)
  }

  @Test("The domain file declares them as the values that nobody chose")
  func declaredDefaults() throws {
    let declared = try #require(Collections.declaration(of: .settings))
    guard case .byMember(let defaults, _) = declared.merging,
      case .object(let members) = try JSONValue(json: start.json)
    else {
      Issue.record("settings are merged by member")
      return
    }
    #expect("\(defaults)" == String(decoding: JSONValue.object(members).json, as: UTF8.self))
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
      SettingsChanges.names(from: start, to: new) == ["totalCalories", "targetDeficit", "deficitRate", "activityLevel"])
    #expect(SettingsChanges.names(from: start, to: start).isEmpty)
  }

  @Test("Null clears a value, and lists are sorted")
  func clears() throws {
    let zone = try #require(TimeZoneName("Asia/Tokyo"))
    let (early, late) = try (#require(WallTime(hour: 8, minute: 0)), #require(WallTime(hour: 20, minute: 30)))
    let set = after(
      SettingsUpdateParams(
        firstWeekday: .value(.sunday), homeTimeZone: .value(zone),
        quietHours: .value(QuietHours(start: late, end: early)), mealReminders: [late, early], reminderDays: [7, 1]))
    #expect(set.mealReminders == [early, late])
    #expect(set.reminderDays == [1, 7])
    #expect(
      SettingsChanges.names(from: start, to: set)
        == ["firstWeekday", "homeTimeZone", "quietHours", "mealReminders", "reminderDays"])
    let cleared = SettingsRules.applying(
      SettingsUpdateParams(
        firstWeekday: .null, homeTimeZone: .null, quietHours: .null, mealReminders: [], reminderDays: [1]), to: set)
    #expect(SettingsChanges.names(from: start, to: cleared).isEmpty)
  }

  @Test("A macronutrient target is set, kept by other updates, and removed by null")
  func macros() {
    let set = after(SettingsUpdateParams(proteinTarget: .value(Decimal(120)), fatTarget: .value(.zero)))
    #expect(set.proteinTarget == Decimal(120) && set.carbsTarget == nil && set.fatTarget == .zero)
    #expect(SettingsChanges.names(from: start, to: set) == ["proteinTarget", "fatTarget"])
    let later = SettingsRules.applying(SettingsUpdateParams(age: 40, proteinTarget: .null), to: set)
    #expect(later.proteinTarget == nil && later.fatTarget == .zero)
  }

  @Test("Settings without macronutrient targets keep their stored form")
  func storedForm() throws {
    let text = start.json
    guard case .object(let object) = try JSONValue(json: text) else {
      Issue.record("settings are an object")
      return
    }
    #expect(object["proteinTarget"] == nil && object["carbsTarget"] == nil && object["fatTarget"] == nil)
    #expect(try JSONReader.read(text) { reader throws(JSONError) in try Settings(from: &reader) } == start)
  }
}
