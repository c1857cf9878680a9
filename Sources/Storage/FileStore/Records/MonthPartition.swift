import CivilTime
import Values

/// The months that partition a collection; undated records form a partition before all months.
struct MonthKey: Hashable, Comparable, Sendable {
  /// Months since year 0, or `Int.min` for "no day".
  let number: Int

  /// The partition for records of a day.
  init(_ day: CivilDay?) {
    guard let day else {
      number = .min
      return
    }
    let (year, month, _) = day.components
    self = MonthKey(year: year, month: month)
  }

  init(year: Int, month: Int) { number = year * 12 + month - 1 }

  static func < (left: MonthKey, right: MonthKey) -> Bool { left.number < right.number }
}

/// The changed records and holes of one month, oldest first, in runs of bounded length: a change while a snapshot is
/// held copies one run and the list of runs.
struct MonthPartition: Sendable {
  /// The maximum number of records in a run.
  static let longestRun = 128

  let key: MonthKey
  /// Non-empty runs, ascending within and among themselves.
  private(set) var runs: [[Record]] = []

  init(key: MonthKey) { self.key = key }

  /// The place of the first record at or after `position`; the end when there is none.
  func lowerBound(_ position: Position) -> (run: Int, index: Int) {
    let low = (0..<runs.count).firstIndex(notBefore: { run in runs[run].last.map { $0.position < position } ?? false })
    guard low < runs.count else { return (low, 0) }
    return (low, MonthPartition.lowerBound(position, in: runs[low]))
  }

  private static func lowerBound(_ position: Position, in run: [Record]) -> Int {
    (0..<run.count).firstIndex(notBefore: { run[$0].position < position })
  }

  func record(at position: Position) -> Record? {
    let (run, index) = lowerBound(position)
    guard run < runs.count, runs[run][index].position == position else { return nil }
    return runs[run][index]
  }

  /// Inserts a record, replacing the one at the same position.
  mutating func put(_ record: Record) {
    var (run, index) = lowerBound(record.position)
    if run < runs.count, runs[run][index].position == record.position {
      runs[run][index] = record
      return
    }
    if run == runs.count {
      // After all others, where most new records go.
      guard let last = runs.last, last.count < MonthPartition.longestRun else {
        runs.append([record])
        return
      }
      run &-= 1
      index = last.count
    }
    runs[run].insert(record, at: index)
    if runs[run].count > MonthPartition.longestRun {
      let half = MonthPartition.longestRun / 2
      let upper = Array(runs[run][half...])
      runs[run].removeSubrange(half...)
      runs.insert(upper, at: run &+ 1)
    }
  }
}
