import DaybookProtocol
import Testing

@testable import Nutrition

@Suite("Typed volumes")
struct VolumeUnitsTests {
  @Test(
    "Volumes are rounded to hundredths of a millilitre",
    arguments: [
      ("250", VolumeUnit.ml, "250"), ("0.5", .l, "500"), ("1", .floz, "29.57"), ("12", .floz, "354.88"),
      ("1", .cup, "236.59"), ("2", .cup, "473.18"), ("0.001", .l, "1"),
    ])
  func volumes(_ value: String, _ unit: VolumeUnit, _ millilitres: String) throws {
    let typed = TypedVolume(value: try #require(Decimal(value)), unit: unit)
    #expect(try VolumeUnits.millilitres(typed) == Decimal(millilitres))
  }

  @Test("The stated bounds of a unit are the valid ones")
  func bounds() throws {
    for (value, unit) in [("0.034", VolumeUnit.floz), ("676.28", .floz), ("0.005", .cup), ("84.535", .cup)] {
      _ = try VolumeUnits.millilitres(TypedVolume(value: try #require(Decimal(value)), unit: unit))
    }
    for (value, unit) in [("0.033", VolumeUnit.floz), ("676.29", .floz), ("0.004", .cup), ("84.536", .cup)] {
      let typed = TypedVolume(value: try #require(Decimal(value)), unit: unit)
      #expect(throws: Refusal.self) { try VolumeUnits.millilitres(typed) }
    }
  }

  @Test("Unknown units and overflows are refused")
  func unknown() {
    for unit in VolumeUnit.known + [.unknown("pint")] {
      let typed = TypedVolume(value: Decimal(.max), unit: unit)
      #expect(throws: Refusal.self) { try VolumeUnits.millilitres(typed) }
    }
  }
}
