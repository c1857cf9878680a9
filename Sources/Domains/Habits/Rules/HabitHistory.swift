import CivilTime

/// What is known of a day of a habit.
package struct HabitRecord: Equatable, Sendable {
  package let day: CivilDay
  /// What the logs of the day add up to, or what a day measure says, in thousandths; nil when there is neither.
  package var value: Int64?
  /// Whether a log makes the day neutral.
  package var isSkipped: Bool
  /// Whether the value is a day measure's.
  package var isMeasured: Bool

  package init(_ day: CivilDay, _ value: Int64?, isSkipped: Bool = false, isMeasured: Bool = false) {
    self.day = day
    self.value = value
    self.isSkipped = isSkipped
    self.isMeasured = isMeasured
  }
}

/// What is known of the days of a habit, ascending by day, each once.
package struct HabitHistory: Equatable, Sendable {
  package private(set) var records: [HabitRecord]

  /// - Parameter records: Ascending by day, each day once.
  package init(_ records: [HabitRecord] = []) {
    self.records = records
  }

  /// What is known of a day; nil for nothing. Takes time by the logarithm of the number of days.
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

  /// Where a day is, or would be.
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

  /// What is known of a range of days, ascending.
  package subscript(days: ClosedRange<CivilDay>) -> ArraySlice<HabitRecord> {
    records[index(of: days.lowerBound)..<index(of: days.upperBound.advanced(by: 1))]
  }

  /// The same with the values of a day measure, ascending by day, on days without a value by hand. A skip stays one.
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
