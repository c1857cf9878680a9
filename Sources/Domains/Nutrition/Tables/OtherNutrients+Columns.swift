import DaybookProtocol
import Nutrition
import Tables
import Values

extension OtherNutrients {
  private static let foreignHeaders = [
    "fibre": ["Fiber", "Fibre", "Dietary Fiber"], "sugar": ["Sugar", "Sugars", "Total Sugars"],
    "saturatedFat": ["Saturated Fat", "Saturated"], "sodium": ["Sodium"], "alcohol": ["Alcohol"],
    "caffeine": ["Caffeine"],
  ]

  /// The fields of other programs' tables, with and without a unit in the header.
  static let foreignFields = members.map { member in
    let headers = foreignHeaders[member.name] ?? []
    return TableField(member.name, headers + headers.flatMap { ["\($0) (g)", "\($0) (mg)"] })
  }
}

extension NutritionDrafts {
  /// The other nutrients of a row; nil without any. Amounts are converted when the header states another unit.
  func nutrients(_ reader: inout RowReader) -> OtherNutrients? {
    var nutrients = OtherNutrients()
    for member in OtherNutrients.members where reader.raw(member.name) != nil {
      let (factor, divisor): (Int64, Int64) =
        switch reader.mapping.header(of: member.name)?.unit {
        case "g" where member.isMilligrams: (1000, 1)
        case "mg" where !member.isMilligrams: (1, 1000)
        default: (1, 1)
        }
      nutrients[keyPath: member.amount] = reader.number(
        member.name, in: .zero...member.most,
        allowed: "0 to \(member.most) \(member.isMilligrams ? "milligrams" : "grams")"
      ) { $0.multiplied(by: factor, over: divisor, roundedTo: 2)?.normalized }
    }
    return nutrients.known
  }
}
