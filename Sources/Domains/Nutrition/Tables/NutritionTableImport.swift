import DaybookProtocol
import Tables

/// A caller's options for reading a table; nil ones are detected.
package struct TableOptions: Sendable {
  /// The program that wrote the table; nil or `auto` to detect it by the headers.
  package var format: TableFormat?
  package var scan = ScanOptions()
  package var energyUnit: TableEnergyUnit?
  package var weightUnit: WeightUnit?

  package init() {}
}

package enum NutritionDraft: Sendable, Equatable {
  case meal(TableMeal)
  case weight(TableWeight)
  case day(TableDay)
  case exercise(TableExercise)
  case water(TableWater)
  case measurement(TableMeasurement)
  /// A row with measurements of several kinds.
  case several([ImportedRow<NutritionDraft>])
}

package typealias NutritionTable = ImportedTable<KnownNutritionTable, NutritionDraft>

extension NutritionTable {
  /// Reads a table. `shouldContinue` receives the percentage, and returns false to cancel.
  package static func read(
    _ bytes: [UInt8], _ options: TableOptions, limits: TableLimits = TableLimits(),
    shouldContinue: (Int) -> Bool = { _ in true }
  ) throws(TableRefusal) -> NutritionTable {
    let format = options.format == .auto ? nil : options.format
    return try read(
      try DecodedText.decode(bytes, options.scan, limits: limits),
      as: KnownNutritionTable.all.filter { format == nil || $0.format == format }, isStated: format != nil,
      options.scan, limits: limits, shouldContinue: shouldContinue
    ) { NutritionDrafts($0, $1, options) }
  }

  /// The rows, with each row of several measurements replaced by these.
  package var entries: [ImportedRow<NutritionDraft>] {
    known.name == KnownNutritionTable.openScale.name
      ? rows.flatMap { row in
        if case .draft(.several(let entries)) = row.content { entries } else { [row] }
      } : rows
  }

  /// The kinds that its columns could become: that of its rows, and others that an unused column would suit.
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
}
