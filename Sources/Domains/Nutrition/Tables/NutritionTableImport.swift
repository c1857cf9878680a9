import DaybookProtocol
import Tables

/// What a caller says of a table; what is nil is found out.
package struct TableOptions: Sendable {
  /// Whose it is; nil or `auto` to be told by the headers.
  package var format: TableFormat?
  package var scan = ScanOptions()
  package var energyUnit: TableEnergyUnit?
  package var weightUnit: WeightUnit?

  package init() {}
}

/// What a row comes to.
package enum NutritionDraft: Sendable, Equatable {
  case meal(TableMeal)
  case weight(TableWeight)
  case day(TableDay)
  case exercise(TableExercise)
  case water(TableWater)
  case measurement(TableMeasurement)
}

/// A table of meals, weights, days, exercises, water or measurements.
package typealias NutritionTable = ImportedTable<KnownNutritionTable, NutritionDraft>

extension NutritionTable {
  /// Reads a table in order to import it. `goesOn` is told the percentage, and says whether the table is still wanted.
  package static func read(
    _ bytes: [UInt8], _ options: TableOptions, limits: TableLimits = TableLimits(),
    goesOn: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> NutritionTable {
    let format = options.format == .auto ? nil : options.format
    return try read(
      bytes, as: KnownNutritionTable.all.filter { format == nil || $0.format == format }, isStated: format != nil,
      options.scan, limits: limits, goesOn: goesOn
    ) { NutritionDrafts($0, $1, options) }
  }

  /// All that its columns could become: what its rows do, and what of another kind has a column that is left out.
  package var kinds: [TableKind] {
    let others: [(TableKind, String, [TableField])] = [
      (.meals, "calories", KnownNutritionTable.otherMeals.fields),
      (.weights, "weight", KnownNutritionTable.otherWeights.fields),
    ]
    return [known.kind]
      + others.filter { kind, name, fields in
        guard kind != known.kind, known.format != .daybook, let field = fields.first(where: { $0.name == name }) else {
          return false
        }
        return mapping.headers.indices.contains { index in
          mapping.field(at: index) == nil
            && field.headers.contains { TableHeader.key($0) == mapping.headers[index].base }
        }
      }.map(\.0)
  }

  /// What its rows speak of.
  package var covered: CoveredMembers {
    var covered: CoveredMembers = []
    for (field, member) in [
      ("mealType", CoveredMembers.mealType), ("protein", .protein), ("carbs", .carbs), ("fat", .fat), ("note", .note),
      ("amount", .note), ("at", .at), ("quantity", .ours),
    ] where mapping.columns[field] != nil {
      covered.insert(member)
    }
    return covered
  }
}

/// Members of a meal or weight that a table has columns for: what it says nothing of is no difference.
package struct CoveredMembers: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let mealType = CoveredMembers(rawValue: 1)
  package static let protein = CoveredMembers(rawValue: 2)
  package static let carbs = CoveredMembers(rawValue: 4)
  package static let fat = CoveredMembers(rawValue: 8)
  package static let note = CoveredMembers(rawValue: 16)
  package static let at = CoveredMembers(rawValue: 32)
  /// Of a meal its time, amount and barcode, which only tables of ours have.
  package static let ours = CoveredMembers(rawValue: 64)
}
