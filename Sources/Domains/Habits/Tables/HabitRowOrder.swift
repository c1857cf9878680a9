import DaybookProtocol
import Habits
import Tables

/// What only all rows of a log table together say, in any order.
enum HabitRowOrder {
  /// The numbers of the rows of Habitica's after which a task is worth more than before, in the order of their times.
  static func gains(_ scanned: ScannedTable) -> Set<Int> {
    var rows: [String: [(moment: CellDay, worth: Double, number: Int)]] = [:]
    for row in scanned.wholeRows {
      var reader = scanned.reader(row)
      guard let task = reader.raw("task"), let worth = reader.raw("worth").flatMap({ Double($0) }), worth.isFinite,
        let moment = reader.moment("day")
      else { continue }
      rows[task, default: []].append((moment, worth, reader.row))
    }
    var gains: Set<Int> = []
    for rows in rows.values {
      var before = 0.0
      let ordered = rows.sorted {
        ($0.moment.day, $0.moment.second ?? 0, $0.worth) < ($1.moment.day, $1.moment.second ?? 0, $1.worth)
      }
      for row in ordered {
        if row.worth > before { gains.insert(row.number) }
        before = row.worth
      }
    }
    return gains
  }

  /// Whether each row of a habit called “Total” is the sum of the others of its day, and of several at least once: a
  /// habit may be called so.
  static func hasTotals(_ scanned: ScannedTable) -> Bool {
    var (sums, totals) = ([String: RowSum](), [(day: String, value: Double)]())
    for row in scanned.wholeRows {
      let reader = scanned.reader(row)
      guard let day = reader.raw("day") else { continue }
      let value = value(reader)
      if reader.isTotal("habit") {
        guard let value else { return false }
        totals.append((day, value))
      } else {
        sums[day, default: RowSum()].add(value ?? 0)
      }
    }
    return totals.allSatisfy { sums[$0.day]?.isSum($0.value) ?? false }
      && totals.contains { sums[$0.day].map { $0.count > 1 } ?? false }
  }

  private static func value(_ reader: RowReader) -> Double? {
    guard let text = reader.raw("value") else { return nil }
    if case .value(let value)? = HabitMark.word(text) { return value.double }
    return NumberText.reading(text, mark: reader.style.mark).readings.first?.double
  }

  /// The rows, of which those of one habit and day are one: a mark precedes a skip, a greater value a smaller one, and
  /// one with a note one without.
  static func oneEachDay(_ rows: [ImportedRow<HabitDraft>]) -> [ImportedRow<HabitDraft>] {
    var best: [HabitLogTarget.Likeness: (log: HabitLog, place: Place)] = [:]
    func consider(_ row: ImportedRow<HabitDraft>, at place: Place) {
      guard case .draft(.log(let log, _, _)) = row.content else { return }
      let key = HabitLogTarget.Likeness(habit: log.habitId, day: log.day, isNote: false)
      if let known = best[key], !isBetter(log, than: known.log) { return }
      best[key] = (log, place)
    }
    func isBest(_ row: ImportedRow<HabitDraft>, at place: Place) -> Bool {
      guard case .draft(.log(let log, _, _)) = row.content else { return true }
      return best[HabitLogTarget.Likeness(habit: log.habitId, day: log.day, isNote: false)]?.place == place
    }
    for (index, row) in rows.enumerated() {
      if case .draft(.several(let marks)) = row.content {
        for (mark, row) in marks.enumerated() { consider(row, at: Place(row: index, mark: mark)) }
      } else {
        consider(row, at: Place(row: index, mark: 0))
      }
    }
    return rows.enumerated().map { index, row in
      guard case .draft(.several(let marks)) = row.content else {
        return isBest(row, at: Place(row: index, mark: 0)) ? row : ImportedRow(number: row.number, content: .ignored)
      }
      let kept = marks.enumerated().filter { isBest($0.element, at: Place(row: index, mark: $0.offset)) }.map(\.element)
      return kept.count == marks.count ? row : ImportedRow(number: row.number, content: .draft(.several(kept)))
    }
  }

  private struct Place: Equatable {
    let row: Int
    let mark: Int
  }

  private static func isBetter(_ log: HabitLog, than other: HabitLog) -> Bool {
    func rank(_ log: HabitLog) -> Int { log.value != nil ? 2 : log.skipped == true ? 1 : 0 }
    let (mine, theirs) = (rank(log), rank(other))
    if mine != theirs { return mine > theirs }
    if let value = log.value, let known = other.value, value != known { return value > known }
    return (log.note ?? "", log.at?.minutesOfDay ?? -1) > (other.note ?? "", other.at?.minutesOfDay ?? -1)
  }
}
