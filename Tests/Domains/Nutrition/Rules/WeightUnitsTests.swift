import DaybookProtocol
import Testing
import Values

@testable import Nutrition

struct WeightUnitsTests {
  @Test(
    "Typed weights are rounded to the gram in kilograms",
    arguments: [
      ("82.40", WeightUnit.kg, "82.4"), ("82.4005", .kg, "82.401"), ("182", .lb, "82.554"), ("181.5", .lb, "82.327"),
      ("13.0", .st, "82.554"), ("1", .lb, "0.454"), ("1", .st, "6.35"), ("1102.31", .lb, "499.999"),
    ])
  func vectors(_ value: String, _ unit: WeightUnit, _ kilograms: String) throws {
    #expect(WeightUnits.kilograms(try #require(Decimal(value)), unit) == Decimal(kilograms))
  }

  @Test("A unit that is not known is no kilograms")
  func unknown() { #expect(WeightUnits.kilograms(Decimal(82), .unknown("oz")) == nil) }

  @Test("A number too large for its unit is none", arguments: [WeightUnit.lb, .st])
  func overflow(_ unit: WeightUnit) { #expect(WeightUnits.kilograms(Decimal(.max), unit) == nil) }
}
