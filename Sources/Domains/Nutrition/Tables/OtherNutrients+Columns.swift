import DaybookProtocol
import Nutrition
import Tables
import Values

/// Columns of what else is in a meal.
extension OtherNutrients {
  struct Column: Sendable {
    /// What it has.
    let member: Member
    /// Headers that others write, units aside.
    let headers: [String]

    var amount: any WritableKeyPath<OtherNutrients, Decimal?> & Sendable { member.amount }
    /// The field, which is the header of a table of ours.
    var field: String { member.name }
  }

  /// All there are, in the order of the protocol.
  static let columns = members.map { Column(member: $0, headers: foreignHeaders[$0.name] ?? []) }

  private static let foreignHeaders = [
    "fibre": ["Fiber", "Fibre", "Dietary Fiber"], "sugar": ["Sugar", "Sugars", "Total Sugars"],
    "saturatedFat": ["Saturated Fat", "Saturated"], "sodium": ["Sodium"], "alcohol": ["Alcohol"],
    "caffeine": ["Caffeine"],
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
        case "g" where column.member.isMilligrams: (1000, 1)
        case "mg" where !column.member.isMilligrams: (1, 1000)
        default: (1, 1)
        }
      nutrients[keyPath: column.amount] = reader.number(
        column.field, in: .zero...column.member.most,
        allowed: "0 to \(column.member.most) \(column.member.isMilligrams ? "milligrams" : "grams")"
      ) { $0.multiplied(by: factor, over: divisor, roundedTo: 2)?.normalized }
    }
    return nutrients.known
  }
}
