import DaybookProtocol
import Testing

@testable import SettingsDocument

struct WeightUnitsTests {
  @Test(
    "Typed weights are converted to kilograms, rounded to the gram",
    arguments: [
      ("82.40", WeightUnit.kg, "82.4"), ("82.4005", .kg, "82.401"), ("182", .lb, "82.554"), ("181.5", .lb, "82.327"),
      ("13.0", .st, "82.554"), ("1", .lb, "0.454"), ("1", .st, "6.35"), ("1102.31", .lb, "499.999"),
    ])
  func vectors(_ value: String, _ unit: WeightUnit, _ kilograms: String) throws {
    #expect(WeightUnits.kilograms(try #require(Decimal(value)), unit) == Decimal(kilograms))
  }

  @Test("A weight in an unknown unit is refused")
  func unknown() { #expect(WeightUnits.kilograms(Decimal(82), .unknown("oz")) == nil) }

  @Test("A number that overflows in its unit is refused", arguments: [WeightUnit.lb, .st])
  func overflow(_ unit: WeightUnit) { #expect(WeightUnits.kilograms(Decimal(.max), unit) == nil) }
}
