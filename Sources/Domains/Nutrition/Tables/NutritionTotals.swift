import DaybookProtocol
import Tables

/// Finds the rows of totals in another program's diary.
///
/// A row is one if its day or its meal is a word for a total and it sums up others, or if its food is such a word and
/// says of which period, or its energy is the sum of the other foods of its meal, of its day, or of all rows, also of a
/// single one: a cereal may be called “Total”. A total of a day without other rows is the whole day.
struct NutritionTotals {
  /// The numbers of the rows of totals.
  private var rows: Set<Int> = []

  init() {}

  init(_ scanned: ScannedTable, isMeals: Bool) {
    let readers = { scanned.wholeRows.lazy.map { scanned.reader($0) } }
    let fields = ["day", "mealType", "name"]
    let totals = Array(readers().filter { reader in fields.contains { reader.isTotal($0) } })
    guard !totals.isEmpty else { return }
    var (days, meals, all) = ([String: RowSum](), [String: RowSum](), RowSum())
    for reader in readers() where !fields.contains(where: { reader.isTotal($0) }) {
      let energy = NutritionTotals.energy(reader) ?? 0
      let day = reader.raw("day") ?? ""
      days[day, default: RowSum()].add(energy)
      meals["\(day)\u{1F}\(NutritionTotals.meal(reader))", default: RowSum()].add(energy)
      all.add(energy)
    }
    for reader in totals {
      let (day, energy) = (reader.raw("day") ?? "", NutritionTotals.energy(reader))
      let isSum =
        energy.map { energy in
          [days[day], meals["\(day)\u{1F}\(NutritionTotals.meal(reader))"], all].contains { $0?.isSum(energy) ?? false }
        } ?? false
      let isOfMeal = isMeals && reader.isTotal("mealType") && days[day] != nil
      let isOfNoDay = day.isEmpty || reader.isTotal("day")
      if isSum || isOfMeal || isOfNoDay || reader.isTotalOfPeriod("name") { rows.insert(reader.row) }
    }
  }

  func isTotal(_ reader: RowReader) -> Bool { rows.contains(reader.row) }

  private static func energy(_ reader: RowReader) -> Double? {
    reader.raw("calories").flatMap { NumberText.reading($0, mark: reader.style.mark).readings.first?.double }
  }

  private static func meal(_ reader: RowReader) -> String { reader.raw("mealType").map { TableHeader.key($0) } ?? "" }
}
