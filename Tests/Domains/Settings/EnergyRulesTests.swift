import DaybookProtocol
import Testing

@testable import SettingsDocument

struct EnergyRulesTests {
  /// The table of the nutrition reference §1.3.
  @Test(
    "Basal rate and expenditure match the reference",
    arguments: [
      (Sex.male, 32, "178", "82.5", ActivityLevel.mostlySeated, "1782.5", 2139),
      (.male, 32, "178", "82.5", .lightMovement, "1782.5", 2451),
      (.male, 32, "178", "82.5", .regularMovement, "1782.5", 2763),
      (.male, 32, "178", "82.5", .veryActive, "1782.5", 3075),
      (.female, 32, "178", "82.5", .regularMovement, "1616.5", 2506),
      (.female, 30, "165", "65", .regularMovement, "1370.25", 2124),
      (.unknown("x"), 32, "178.0", "82.50", .unknown("Sedentary"), "1616.5", 2506),
    ] as [(Sex, Int, String, String, ActivityLevel, String, Int)])
  func vectors(
    _ sex: Sex, _ age: Int, _ height: String, _ weight: String, _ activity: ActivityLevel, _ basal: String, _ total: Int
  ) throws {
    let person = EnergyRules.Person(
      sex: sex, age: age, height: try #require(Decimal(height)), weight: try #require(Decimal(weight)),
      activityLevel: activity)
    #expect(EnergyRules.basalMetabolicRate(person) == Decimal(basal))
    #expect(EnergyRules.totalCalories(person) == total)
  }

  @Test("A pace is 300, 500 or 750 kcal; an unknown one is steady")
  func paces() {
    #expect(
      [DeficitRate.gentle, .steady, .fast, .unknown("Aggressive")].map(EnergyRules.targetDeficit) == [
        300, 500, 750, 500,
      ])
  }

  @Test("Exact arithmetic agrees with floating point over the whole range of people")
  func property() throws {
    for age in stride(from: 1, through: 120, by: 17) {
      for height in stride(from: 500, through: 2720, by: 173) {
        for weight in stride(from: 2000, through: 50_000, by: 2917) {
          let person = EnergyRules.Person(
            sex: age % 2 == 0 ? .male : .female, age: age,
            height: try #require(Decimal(significand: Int64(height), scale: 1)),
            weight: try #require(Decimal(significand: Int64(weight), scale: 2)), activityLevel: .lightMovement)
          let basal = Double(weight) / 10 + 0.625 * Double(height) - 5 * Double(age) + (age % 2 == 0 ? 5 : -161)
          guard let total = EnergyRules.totalCalories(person) else {
            #expect(basal * 1.375 < 0.5 + 1e-6, "\(person)")
            continue
          }
          #expect(total > 0 && abs(Double(total) - basal * 1.375) <= 0.5 + 1e-6)
        }
      }
    }
  }
}
