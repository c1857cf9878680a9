import CivilTime
import Platform
import Values

/// The whole content of the store at one revision. It is a value: it costs next to nothing to take, and stays as it was.
/// What is not in memory is read from the segments when it is asked for.
package struct Snapshot: Sendable {
  /// The revision of the last transaction in it; 0 for an empty store.
  package internal(set) var revision = 0
  /// What the last checkpoint wrote.
  private(set) var base: StoreBase
  private var overlays: [CollectionName: Overlay] = [:]

  init(base: StoreBase) {
    self.base = base
    revision = base.revision
  }

  /// The names of the collections that have, or had, records.
  package var collections: [CollectionName] {
    Set(base.collections).union(overlays.keys).sorted { $0.rawValue < $1.rawValue }
  }

  /// The record with that id.
  package func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    switch overlays[collection]?.lookup(id) ?? .unchanged {
    case .record(let record): record
    case .gone: nil
    case .unchanged: base.record(id, in: collection)
    }
  }

  /// The same, which is found sooner where it is in that month.
  func record(_ id: EntityID, in collection: CollectionName, expectedIn month: MonthKey?) -> Record? {
    switch overlays[collection]?.lookup(id) ?? .unchanged {
    case .record(let record): record
    case .gone: nil
    case .unchanged: base.record(id, in: collection, expectedIn: month)
    }
  }

  /// How many records a collection has, on all days or within `days`. Months that only segments have are not read for it
  /// unless they are partly asked for.
  package func count(in collection: CollectionName, days: ClosedRange<CivilDay>? = nil) -> Int {
    var count = 0
    for month in months(of: collection) {
      if overlays[collection]?.partition(month) == nil, month.isWithin(days) {
        count &+= base.count(of: month, in: collection)
      } else {
        visit(month, of: collection, days: days) { _ in
          count &+= 1
          return true
        }
      }
    }
    return count
  }

  /// The records of a collection, newest first: by day, then time of creation, then id, all descending; those without a
  /// day come last, or not at all when `days` is given.
  ///
  /// - Parameters:
  ///   - after: Only what comes behind this place in the list, whether or not a record still has it.
  ///   - limit: The most to return.
  package func records(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil, limit: Int = .max
  ) -> [Record] {
    guard limit > 0 else { return [] }
    var records: [Record] = []
    forEachRecord(in: collection, days: days, after: after) { record in
      records.append(copy record)
      return records.count < limit
    }
    return records
  }

  /// The same without making an array: calls `body` for each record until it returns false.
  package func forEachRecord(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil,
    _ body: (borrowing Record) -> Bool
  ) {
    forEachView(in: collection, days: days, after: after) { $0.lend(to: body) }
  }

  /// The same, lending views, for callers that need little of each record, such as its body.
  package func forEachView(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil,
    _ body: (borrowing RecordView) -> Bool
  ) {
    let months = months(of: collection).reversed().filter { $0.mayHold(days, before: after) }
    var ahead: ReadAhead?
    defer { ahead?.end() }
    for (step, month) in months.enumerated() {
      // A caller that wants more than one month may want them all.
      if step == 1 { ahead = base.readAhead(months, of: collection, from: 2) }
      ahead?.begin(step)
      guard visit(month, of: collection, days: days, before: after, body) else { return }
    }
  }

  /// The months of a collection, oldest first.
  func months(of collection: CollectionName) -> [MonthKey] {
    let base = base.months(of: collection)
    guard let changed = overlays[collection]?.months, !changed.isEmpty else { return base }
    var months: [MonthKey] = []
    months.reserveCapacity(base.count + changed.count)
    var rest = changed[...]
    for month in base {
      while let next = rest.first, next.key < month { months.append(rest.removeFirst().key) }
      if rest.first?.key == month { rest.removeFirst() }
      months.append(month)
    }
    return months + rest.map(\.key)
  }

  /// The days from the first to the last month that a collection has, or had, records in; nil when it has none with a day.
  package func span(of collection: CollectionName) -> ClosedRange<CivilDay>? {
    let months = months(of: collection).compactMap(\.days)
    guard let first = months.first, let last = months.last else { return nil }
    return first.lowerBound...last.upperBound
  }

  /// Every month of every collection, by the collections' names, oldest first.
  func keys() throws(StoreError) -> [SegmentKey] {
    var keys: [SegmentKey] = []
    for collection in collections {
      for month in months(of: collection) {
        guard let key = SegmentKey(collection, month) else {
          throw StoreError(.storeUnavailable, "The collection “\(collection)” has a name that no folder can have.")
        }
        keys.append(key)
      }
    }
    return keys
  }

  /// The records of one month, oldest first.
  func records(of key: SegmentKey) -> [Record] {
    var records: [Record] = []
    visit(key.month, of: key.collection) { view in
      records.append(view.record)
      return true
    }
    return records.reversed()
  }

  /// The records of one month, newest first; false when `body` had enough.
  @discardableResult func visit(
    _ month: MonthKey, of collection: CollectionName, days: ClosedRange<CivilDay>? = nil, before: Position? = nil,
    _ body: (borrowing RecordView) -> Bool
  ) -> Bool {
    Threads.giveWay()
    let range = PositionRange(days: days, before: before)
    let changes = overlays[collection]?.partition(month)
    guard let segment = base.segment(month, of: collection) else {
      return changes?.forEachNewestFirst(range, body) ?? true
    }
    // Reading it may have taken as long as what follows.
    Threads.giveWay()
    // Views hold it without counting.
    return withExtendedLifetime(segment) {
      MonthMerge(segment: segment, changes: changes).forEachNewestFirst(range, body)
    }
  }

  /// The changes of one month since the last checkpoint.
  func changes(of month: MonthKey, in collection: CollectionName) -> MonthPartition? {
    overlays[collection]?.partition(month)
  }

  // MARK: changing

  /// Puts a record in the place of another version.
  mutating func put(_ record: Record, replacing before: Position?, in collection: CollectionName) {
    overlays[collection, default: Overlay()].put(record, replacing: before)
  }

  mutating func remove(_ id: EntityID, at before: Position?, from collection: CollectionName, since revision: Int) {
    overlays[collection, default: Overlay()].remove(id, at: before, since: revision)
  }

  /// What is known here of a record without reading a segment.
  func recentRecord(_ id: EntityID, in collection: CollectionName) -> Record? {
    guard case .record(let record)? = overlays[collection]?.lookup(id) else { return nil }
    return record
  }

  /// Puts later segments underneath; what they contain is dropped from above them.
  mutating func rebase(on new: StoreBase) {
    base = new
    overlays = overlays.mapValues { $0.dropping(upTo: new.revision) }
    revision = max(revision, new.revision)
  }
}

/// The part of a list that is asked for.
struct PositionRange {
  /// Only records of these days.
  let days: ClosedRange<CivilDay>?
  /// Only what stands before this place; nil when there is no such limit.
  let end: Position?
  /// Only what stands at or behind this place; nil when there is no such limit.
  let start: Position?

  init(days: ClosedRange<CivilDay>?, before: Position?) {
    self.days = days
    var end = before
    if let last = days?.upperBound {
      let next = last.advanced(by: 1)
      // The last day there is has none after it.
      if next > last {
        let bound = Position(startOf: next)
        end = end.map { min($0, bound) } ?? bound
      }
    }
    self.end = end
    start = days.map { Position(startOf: $0.lowerBound) }
  }
}

extension Position {
  /// The place before all records of a day.
  init(startOf day: CivilDay) { self.init(day: day, createdAt: Instant(milliseconds: .min), id: .zero) }
}

extension MonthKey {
  /// Whether records of this month can be within the days and before the place.
  fileprivate func mayHold(_ days: ClosedRange<CivilDay>?, before: Position?) -> Bool {
    if let days, self < MonthKey(days.lowerBound) || MonthKey(days.upperBound) < self { return false }
    if let before, MonthKey(before.day) < self { return false }
    return true
  }

  /// Whether all days of this month are within the days.
  fileprivate func isWithin(_ days: ClosedRange<CivilDay>?) -> Bool {
    guard let days else { return true }
    return MonthKey(days.lowerBound) < self && self < MonthKey(days.upperBound)
  }
}
