import DaybookProtocol
import Nutrition
import Tables
import Values

/// Columns of what else is in a meal.
extension OtherNutrients {
  struct Column: Sendable {
    let amount: any WritableKeyPath<OtherNutrients, Decimal?> & Sendable
    /// The field, which is the header of a table of ours.
    let field: String
    /// Headers that others write, units aside.
    let headers: [String]
    /// Whether it is counted in milligrams, not grams.
    var isMilligrams = false
    /// The most that a meal may have.
    var most: Decimal { Decimal(isMilligrams ? 100_000 : 5000) }
  }

  /// All there are, in the order of the protocol.
  static let columns = [
    Column(amount: \.fibre, field: "fibre", headers: ["Fiber", "Fibre", "Dietary Fiber"]),
    Column(amount: \.sugar, field: "sugar", headers: ["Sugar", "Sugars", "Total Sugars"]),
    Column(amount: \.saturatedFat, field: "saturatedFat", headers: ["Saturated Fat", "Saturated"]),
    Column(amount: \.sodium, field: "sodium", headers: ["Sodium"], isMilligrams: true),
    Column(amount: \.alcohol, field: "alcohol", headers: ["Alcohol"]),
    Column(amount: \.caffeine, field: "caffeine", headers: ["Caffeine"], isMilligrams: true),
  ]

  /// Those that a table of others may have.
  static let foreignFields = columns.map { column in
    TableField(column.field, column.headers + column.headers.flatMap { ["\($0) (g)", "\($0) (mg)"] })
  }
}

extension NutritionDrafts {
  /// What else a row says is in a meal; nil where it says nothing. Headers may have another unit than ours.
  func nutrients(_ reader: inout RowReader) -> OtherNutrients? {
    var nutrients = OtherNutrients()
    for column in OtherNutrients.columns where reader.raw(column.field) != nil {
      let unit = reader.mapping.header(of: column.field)?.unit
      let (factor, divisor): (Int64, Int64) =
        switch unit {
        case "g" where column.isMilligrams: (1000, 1)
        case "mg" where !column.isMilligrams: (1, 1000)
        default: (1, 1)
        }
      nutrients[keyPath: column.amount] = reader.number(
        column.field, in: .zero...column.most,
        allowed: "0 to \(column.most) \(column.isMilligrams ? "milligrams" : "grams")"
      ) { $0.multiplied(by: factor, over: divisor, roundedTo: 2)?.normalized }
    }
    return nutrients.known
  }
}
