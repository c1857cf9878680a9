import CivilTime
import Values

/// The records of one collection, by id and in order of days.
struct RecordCollection: Sendable {
  private var index = IDIndex()
  /// Oldest month first; none is empty.
  private var months: [MonthPartition] = []

  /// How many records there are.
  var count: Int { index.count }

  /// The record with that id.
  func record(_ id: EntityID) -> Record? {
    guard let place = index[id] else { return nil }
    let (month, isThere) = search(MonthKey(place.day))
    return isThere ? months[month].record(at: Position(day: place.day, createdAt: place.createdAt, id: id)) : nil
  }

  /// Puts a record in the place of the one with the same id, which is returned.
  mutating func put(_ record: Record) -> Record? {
    let before = self.record(record.id)
    if let before, before.position != record.position { removeFromMonth(before.position) }
    let key = MonthKey(record.day)
    let (month, isThere) = search(key)
    if !isThere { months.insert(MonthPartition(key: key), at: month) }
    months[month].put(record)
    index.set(RecordPlace(day: record.day, createdAt: record.createdAt), for: record.id)
    return before
  }

  /// Removes the record with that id and returns it.
  mutating func remove(_ id: EntityID) -> Record? {
    guard let before = record(id) else { return nil }
    removeFromMonth(before.position)
    index.remove(id)
    return before
  }

  /// How many records have a day within `days`.
  func count(days: ClosedRange<CivilDay>) -> Int {
    let start = RecordCollection.start(of: days.lowerBound)
    let end = RecordCollection.start(of: days.upperBound.advanced(by: 1))
    // The last day there is has none after it.
    guard days.upperBound < days.upperBound.advanced(by: 1) else { return count(before: nil) - count(before: start) }
    return count(before: end) - count(before: start)
  }

  /// Calls `body` for each record, newest first, from behind `after` on and within `days`, until it returns false.
  func forEachNewestFirst(
    days: ClosedRange<CivilDay>?, after: Position?, _ body: (borrowing Record) -> Bool
  ) {
    var month = months.count &- 1
    // Everything at or behind this place was passed already; nil means nothing was.
    var end = after
    if let last = days?.upperBound {
      let next = last.advanced(by: 1)
      if next > last {
        let bound = RecordCollection.start(of: next)
        end = end.map { min($0, bound) } ?? bound
      }
    }
    if let end {
      let (found, isThere) = search(MonthKey(end.day))
      month = isThere ? found : found &- 1
    }
    let first = days?.lowerBound
    while month >= 0 {
      let partition = months[month]
      var run = partition.runs.count
      var index = 0
      if let end { (run, index) = partition.lowerBound(end) }
      while true {
        if index == 0 {
          run &-= 1
          guard run >= 0 else { break }
          index = partition.runs[run].count
        }
        // By address, so that a record is lent without being copied, which would count its body's users up and down.
        let goesOn = partition.runs[run].withUnsafeBufferPointer { records in
          while index > 0 {
            index &-= 1
            if let first {
              guard let day = records[index].day, day >= first else { return false }
            }
            guard body(records[index]) else { return false }
          }
          return true
        }
        guard goesOn else { return }
      }
      month &-= 1
    }
  }

  /// The place before all records of a day.
  private static func start(of day: CivilDay) -> Position {
    Position(day: day, createdAt: Instant(milliseconds: .min), id: EntityID(high: 0, low: 0))
  }

  /// How many records stand before `position`; nil means the end.
  private func count(before position: Position?) -> Int {
    guard let position else { return count }
    let (month, isThere) = search(MonthKey(position.day))
    let earlier = months[..<month].reduce(0) { $0 &+ $1.count }
    return isThere ? earlier &+ months[month].count(before: position) : earlier
  }

  private mutating func removeFromMonth(_ position: Position) {
    let (month, isThere) = search(MonthKey(position.day))
    guard isThere else { return }
    months[month].remove(at: position)
    if months[month].count == 0 { months.remove(at: month) }
  }

  /// Where the month stands, or where it would have to be inserted.
  private func search(_ key: MonthKey) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = months.count
    while low < high {
      let middle = (low &+ high) / 2
      if months[middle].key < key { low = middle &+ 1 } else { high = middle }
    }
    return (low, low < months.count && months[low].key == key)
  }
}
