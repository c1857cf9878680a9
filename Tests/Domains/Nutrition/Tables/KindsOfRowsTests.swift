import DaybookProtocol
import Nutrition
import Tables
import Testing

@testable import NutritionTables

@Suite("Rows of totals and of other measurements")
struct KindsOfRowsTests {
  private func read(_ text: String) throws -> NutritionTable {
    var options = TableOptions()
    options.weightUnit = .kg
    return try NutritionTable.read(Array(text.utf8), options)
  }

  /// A row's kind and number: `m1000`, `w80`, `Waist 82 cm`; `-` when ignored, `T` or `O` with the reason told.
  private func short(_ table: NutritionTable) -> [String] {
    let told = Dictionary(table.ignoredRows.map { ($0.row, $0.reason == .total ? "T" : "O") }) { first, _ in first }
    return table.entries.map { row in
      switch row.content {
      case .draft(.meal(let meal)): "m\(meal.calories)"
      case .draft(.weight(let weight)): "w\(weight.value)"
      case .draft(.exercise(let exercise)): "e\(exercise.calories)"
      case .draft(.measurement(let measurement)):
        "\(measurement.kind) \(measurement.value)\(measurement.secondValue.map { "/\($0)" } ?? "")"
          + (measurement.unit.map { " \($0)" } ?? "")
      case .draft: "?"
      case .ignored: told[row.number] ?? "-"
      case .refused: "!"
      }
    }
  }

  @Test(
    "Rows of totals are ignored, and told; a food called “Total” is one",
    arguments: [
      (
        "Date,Meal,Food,Calories\n2026-01-04,Lunch,Rice,300\n2026-01-04,Dinner,Soup,701\n2026-01-04,TOTAL,,1001\n",
        ["m300", "m701", "T"]
      ),
      (
        "Date,Meal,Calories\n2026-01-04,Lunch,300\n2026-01-04,Totals:,300\n2026-01-05,Total,900\n",
        ["m300", "T", "m900"]
      ),
      // The food “Total” is a cereal unless its energy is the sum of the others.
      (
        "Date,Meal,Food,Calories\n2026-01-04,Breakfast,Total,110\n2026-01-04,Lunch,Rice,300\n2026-01-04,Lunch,Soup,200\n",
        ["m110", "m300", "m200"]
      ),
      ("Date,Food,Calories\n2026-01-04,Rice,300\n2026-01-04,Soup,200\n2026-01-04,Total,500\n", ["m300", "m200", "T"]),
      (
        "Date,Food,Calories\n2026-01-04,Rice,300.4\n2026-01-04,Soup,200.4\n2026-01-04,Summe,501\n",
        ["m300", "m200", "T"]
      ),
      (
        "Date,Food,Calories\n2026-01-04,Total Raisin Bran,190\n2026-01-04,Sum,4\n2026-01-04,Tea,2\n",
        ["m190", "m4", "m2"]
      ),
      ("Date,Food,Calories\n2026-01-04,Rice,300\nTotal,,300\n", ["m300", "T"]),
      ("Date,Food,Calories\n2026-01-04,Rice,300\n,Total,300\n", ["m300", "T"]),
      (
        "Day,Time,Exercise,Minutes,Calories Burned\n2026-01-04,,Run,30,300\n2026-01-04,,Row,30,200\n2026-01-04,,Total,60,500\n",
        ["e300", "e200", "T"]
      ),
    ] as [(String, [String])])
  func totals(_ text: String, _ expected: [String]) throws {
    let table = try read(text)
    #expect(short(table) == expected && table.refused == 0)
    #expect(table.ignored == expected.count { $0 == "T" || $0 == "-" })
  }

  @Test(
    "Only weights are weights; other measures of the body are measurements, and the rest is ignored with the reason",
    arguments: [
      (
        """
        Date,Time,Measurement,Value,Unit,Comment
        2026-01-04,07:00:00,Bodyweight,80.5,kg,
        2026-01-04,07:00:00,Lean Mass,55.2,kg,
        2026-01-04,07:00:00,Body Fat,18,%,
        2026-01-04,07:00:00,Waist,82,cm,

        """, ["w80.5", "Lean Mass 55.2 kg", "Body Fat 18 %", "Waist 82 cm"]
      ),
      ("Date,Name,Value\n2026-01-04,Steps,105\n2026-01-04,Weight,80\n2026-01-04,Hips,95\n", ["O", "w80", "Hips 95"]),
      (
        """
        Day,Time,Group,Metric,Unit,Amount
        2026-01-04,7:00 AM,,Weight,lbs,181.4
        2026-01-04,,,Blood Pressure,mmHg,120/80
        2026-01-04,,,Sleep,hours,8

        """, ["w181.4", "Blood Pressure 120/80 mmHg", "O"]
      ),
      (
        """
        "biceps","bone","caliper1","calories","comment","dateTime","fat","hip","lbm","muscle","visceralFat","waist","water","weight"
        0.0,12.85,0.0,0.0,"","2021-04-18 11:51",20.3,0.0,0.0,40.5,0.0,0.0,53.0,77.35
        0.0,0.0,0.0,0.0,"","2021-04-19 11:51",0.0,0.0,0.0,0.0,0.0,0.0,0.0,77.1

        """, ["w77.35", "Body fat 20.3 %", "Water 53 %", "Muscle 40.5 %", "Bone mass 12.85 kg", "w77.1"]
      ),
    ] as [(String, [String])])
  func measures(_ text: String, _ expected: [String]) throws {
    let table = try read(text)
    #expect(short(table) == expected && table.refused == 0)
  }

  @Test("A row of zeros that names neither food nor meal is no meal")
  func zeros() throws {
    let table = try read("Date,Calories,Fat,Carbs\n2026-01-04,0.0,0,0\n2026-01-05,100,0,0\n")
    #expect(short(table) == ["-", "m100"])
  }
}
