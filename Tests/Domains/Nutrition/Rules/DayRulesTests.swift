import DaybookProtocol
import SettingsDocument
import Testing

@testable import Nutrition

struct DayRulesTests {
  /// The documented vectors: maintenance 2763, target 500.
  @Test(
    "A day's status matches the documented vectors",
    arguments: [
      (2213, DayStatusKind.onTrack, 0), (2264, .onTrack, 0), (2313, .onTrack, 0), (2212, .ahead, 51),
      (2400, .behind, 137),
      (3000, .over, 237), (2314, .behind, 51), (0, .ahead, 2263), (2763, .behind, 500), (2764, .over, 1),
    ] as [(Int, DayStatusKind, Int)])
  func status(_ consumed: Int, _ kind: DayStatusKind, _ by: Int) {
    let status = DayRules.status(consumed: consumed, on: CivilDay.allowed.lowerBound, settings: SettingsRules.defaults)
    #expect(status.kind == kind)
    #expect(status.by == by)
    if by > 0 { #expect(status.text.contains(" \(by) kcal")) }
  }

  @Test("A day without meals has no data, not zero")
  func noData() {
    #expect(
      DayRules.status(consumed: nil, on: CivilDay.allowed.lowerBound, settings: SettingsRules.defaults).kind == .noData)
  }

  @Test(
    "Completion is truncated and stays within 0 and 100",
    arguments: [(0, 0), (2100, 76), (2213, 80), (2762, 99), (2763, 100), (3000, 100)])
  func completion(_ consumed: Int, _ percentage: Int) {
    #expect(DayRules.completionPercentage(consumed: consumed, settings: SettingsRules.defaults) == percentage)
  }

  @Test("Deficit and remainder follow from the settings in force")
  func derived() {
    var settings = SettingsRules.defaults
    settings.totalCalories = 2000
    #expect(DayRules.deficitAchieved(consumed: 2100, settings: settings) == -100)
    #expect(EnergyRules.eatingTarget(settings) == 1500)
  }
}
