import DaybookProtocol
import Testing

@testable import Tables

@Suite("Mapping fields to columns")
struct ColumnTests {
  private let fields = [
    TableField("day", ["Day", "Date"], isRequired: true), TableField("carbs", ["Carbs (g)", "Carbs"]),
    TableField("calories", ["Energy"]),
  ]

  private func mapping(_ headers: [String], _ wanted: [String: String] = [:]) -> Result<
    [String: Int], ColumnMapping.Problem
  > {
    Result { () throws(ColumnMapping.Problem) in
      try ColumnMapping(headers.map { TableHeader($0) }, fields, wanted: wanted).columns
    }
  }

  @Test("Columns are found by header without case, with and without units, exact matches first")
  func found() {
    #expect(mapping(["date ", "Net Carbs (g)", "CARBS (g)"]) == .success(["day": 0, "carbs": 2]))
    #expect(mapping(["Day", "Energy (kJ)", "carbs_(g)"]) == .success(["day": 0, "calories": 1, "carbs": 2]))
    #expect(TableHeader("Energy (kJ)").unit == "kj" && TableHeader("Weight").unit == nil)
    #expect(TableHeader(" Vitamin  A (µg) ").base == "vitamin a")
  }

  @Test("A stated mapping names columns by header or number, or leaves a field out")
  func wanted() {
    #expect(mapping(["When", "Date", "X"], ["day": "when", "carbs": "#3"]) == .success(["day": 0, "carbs": 2]))
    #expect(mapping(["Date", "Carbs"], ["carbs": ""]) == .success(["day": 0]))
    #expect(mapping(["Date"], ["fibre": "Date"]) == .failure(.unknownField("fibre")))
    #expect(mapping(["Date"], ["day": "#2"]) == .failure(.unknownColumn(field: "day", column: "#2")))
    #expect(mapping(["Date"], ["carbs": "Date", "day": "Date"]) == .failure(.usedTwice(field: "day", other: "carbs")))
    #expect(mapping(["Carbs"]) == .failure(.missing(["day"])))
  }

  @Test("Cells are read, or refused with row, column, field and the allowed values")
  func cells() throws {
    let mapping = try ColumnMapping(["Date", "Energy (kcal)"].map { TableHeader($0) }, fields)
    var reader = RowReader(mapping, TableStyle(), row: 7, line: 9, cells: [" 03/04/2025", "1.234"])
    #expect(reader.day("day") == nil)
    let bounds = Decimal(0)...Decimal(20000)
    #expect(reader.number("calories", in: bounds, allowed: "0 to 20000") { $0 } == nil)
    // Only one interpretation is in range.
    #expect(
      reader.number("calories", in: Decimal(100)...Decimal(20000), allowed: "100 to 20000") { $0 } == Decimal(1234))
    #expect(reader.number("carbs", in: bounds, allowed: "0 to 20000") { $0 } == nil)
    #expect(reader.problems.map(\.kind) == [.ambiguousDate, .ambiguousNumber])
    #expect(reader.problems[0].row == 7 && reader.problems[0].line == 9 && reader.problems[0].column == 1)
    #expect(reader.problems[0].readings == ["2025-03-04", "2025-04-03"])
    #expect(reader.problems[1].header == "Energy (kcal)" && reader.problems[1].value == "1.234")
    #expect(reader.text("day", longest: 3) == nil && reader.problems.last?.kind == .tooLong)
  }
}
