import DaybookProtocol
import Testing

@testable import SettingsDocument

@Suite("Typed measures")
struct MeasureUnitsTests {
  @Test(
    "Heights are rounded to the millimetre",
    arguments: [
      ("178", HeightUnit.cm, nil, "178"), ("180.34", .cm, nil, "180.3"), ("71", .in, nil, "180.3"),
      ("70.25", .in, nil, "178.4"), ("5", .ft, "11", "180.3"), ("5", .ft, "10.5", "179.1"), ("6", .ft, nil, "182.9"),
      ("6", .ft, "0", "182.9"), ("8", .ft, "11", "271.8"), ("1", .ft, "7.75", "50.2"), ("49.95", .cm, nil, "50"),
      ("5.5", .ft, nil, "167.6"),
    ] as [(String, HeightUnit, String?, String)])
  func heights(_ value: String, _ unit: HeightUnit, _ inches: String?, _ centimetres: String) throws {
    let typed = TypedHeight(value: try #require(Decimal(value)), unit: unit, inches: inches.flatMap { Decimal($0) })
    #expect(try HeightUnits.centimetres(typed) == Decimal(centimetres))
  }

  @Test(
    "A height out of range is refused with the range in its unit",
    arguments: [("49.9", HeightUnit.cm, "cm"), ("108", .in, "in"), ("1.6", .ft, "ft"), ("9", .ft, "ft")])
  func giants(_ value: String, _ unit: HeightUnit, _ word: String) throws {
    let typed = TypedHeight(value: try #require(Decimal(value)), unit: unit)
    let problem = #expect(throws: Refusal.self) { try HeightUnits.centimetres(typed) }
    #expect(problem?.pointer == "/value" && problem?.allowed.hasSuffix(word) == true)
  }

  @Test("Inches need whole feet, and are less than a foot")
  func inches() throws {
    func member(_ value: String, _ unit: HeightUnit, _ inches: Int64) throws -> String? {
      let typed = TypedHeight(value: try #require(Decimal(value)), unit: unit, inches: Decimal(inches))
      return #expect(throws: Refusal.self) { try HeightUnits.centimetres(typed) }?.pointer
    }
    #expect(try member("178", .cm, 1) == "/inches")
    #expect(try member("5", .ft, 12) == "/inches")
    #expect(try member("5.5", .ft, 1) == "/value")
  }

  @Test("The stated bounds of a unit are the valid ones")
  func bounds() throws {
    for (value, unit) in [("1.64", HeightUnit.ft), ("8.92", .ft), ("19.67", .in), ("107.1", .in)] {
      _ = try HeightUnits.centimetres(TypedHeight(value: try #require(Decimal(value)), unit: unit))
    }
    for (value, unit) in [("1.63", HeightUnit.ft), ("8.93", .ft), ("19.66", .in), ("107.11", .in)] {
      let typed = TypedHeight(value: try #require(Decimal(value)), unit: unit)
      #expect(throws: Refusal.self) { try HeightUnits.centimetres(typed) }
    }
  }

  @Test(
    "Stones and pounds are rounded once",
    arguments: [
      ("12", "13.5", 3, "82.327"), ("12", "13.5", 2, "82.33"), ("11", "6", 2, "72.57"), ("3", "2.1", 2, "20"),
    ])
  func stones(_ value: String, _ pounds: String, _ scale: Int, _ kilograms: String) throws {
    let typed = TypedWeight(value: try #require(Decimal(value)), unit: .st, pounds: Decimal(pounds))
    #expect(try WeightUnits.kilograms(typed, scale: scale) == Decimal(kilograms))
  }

  @Test("Unknown units and overflows are refused")
  func unknown() {
    let height = TypedHeight(value: Decimal(178), unit: .unknown("ell"))
    #expect(throws: Refusal.self) { try HeightUnits.centimetres(height) }
    for unit in HeightUnit.known {
      let typed = TypedHeight(value: Decimal(.max), unit: unit)
      #expect(throws: Refusal.self) { try HeightUnits.centimetres(typed) }
    }
    let weight = TypedWeight(value: Decimal(.max), unit: .st, pounds: .zero)
    #expect(throws: Refusal.self) { try WeightUnits.kilograms(weight) }
  }
}
