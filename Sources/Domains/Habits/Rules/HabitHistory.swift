import CivilTime

/// The recorded data of a habit on one day.
package struct HabitRecord: Equatable, Sendable {
  package let day: CivilDay
  /// The sum of the day's logs, or the value of a day measure, in thousandths.
  package var value: Int64?
  /// Whether a log skips the day, which makes it neutral.
  package var isSkipped: Bool
  /// Whether the value comes from a day measure.
  package var isMeasured: Bool

  package init(_ day: CivilDay, _ value: Int64?, isSkipped: Bool = false, isMeasured: Bool = false) {
    self.day = day
    self.value = value
    self.isSkipped = isSkipped
    self.isMeasured = isMeasured
  }
}

/// The recorded days of a habit, strictly ascending.
package struct HabitHistory: Equatable, Sendable {
  package private(set) var records: [HabitRecord]

  package init(_ records: [HabitRecord] = []) {
    self.records = records
  }

  /// The record of a day. O(log n).
  package subscript(day: CivilDay) -> HabitRecord? {
    get {
      let index = index(of: day)
      return index < records.count && records[index].day == day ? records[index] : nil
    }
    set {
      let index = index(of: day)
      let isThere = index < records.count && records[index].day == day
      if let newValue {
        if isThere { records[index] = newValue } else { records.insert(newValue, at: index) }
      } else if isThere {
        records.remove(at: index)
      }
    }
  }

  /// The index of a day, or where it would be inserted.
  package func index(of day: CivilDay) -> Int {
    if let last = records.last, last.day < day { return records.count }
    var low = 0
    var high = records.count
    while low < high {
      let middle = (low + high) / 2
      if records[middle].day < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The records of a range of days, ascending.
  package subscript(days: ClosedRange<CivilDay>) -> ArraySlice<HabitRecord> {
    records[index(of: days.lowerBound)..<index(of: days.upperBound.advanced(by: 1))]
  }

  /// Fills days without a logged value from a day measure, given ascending by day. Skipped days stay skipped.
  package func filled(with measured: [(day: CivilDay, value: Int64)]) -> HabitHistory {
    var filled: [HabitRecord] = []
    filled.reserveCapacity(records.count + measured.count)
    var rest = records[...]
    for (day, value) in measured {
      while let next = rest.first, next.day < day {
        filled.append(next)
        rest.removeFirst()
      }
      guard let own = rest.first, own.day == day else {
        filled.append(HabitRecord(day, value, isMeasured: true))
        continue
      }
      rest.removeFirst()
      filled.append(
        own.value != nil ? own : HabitRecord(day, value, isSkipped: own.isSkipped, isMeasured: true))
    }
    return HabitHistory(filled + rest)
  }
}
