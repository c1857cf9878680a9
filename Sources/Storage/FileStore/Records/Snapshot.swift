import CivilTime
import Platform
import Values

/// The whole content of the store at one revision: a value that is cheap to take and never changes. What is not in
/// memory is read from the segments on demand.
package struct Snapshot: Sendable {
  /// The revision of its last transaction; 0 for an empty store.
  package internal(set) var revision = 0
  /// The state at the last checkpoint.
  private(set) var base: StoreBase
  private(set) var overlays: [CollectionName: Overlay] = [:]

  init(base: StoreBase) {
    self.base = base
    revision = base.revision
  }

  /// The names of the collections that have, or had, records.
  package var collections: [CollectionName] {
    Set(base.collections).union(overlays.keys).sorted { $0.rawValue < $1.rawValue }
  }

  package func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    switch overlays[collection]?.lookup(id) ?? .unchanged {
    case .record(let record): record
    case .gone: nil
    case .unchanged: base.record(id, in: collection)
    }
  }

  /// Like `record(_:in:)`, but faster when the record is in that month.
  func record(_ id: EntityID, in collection: CollectionName, expectedIn month: MonthKey?) -> Record? {
    switch overlays[collection]?.lookup(id) ?? .unchanged {
    case .record(let record): record
    case .gone: nil
    case .unchanged: base.record(id, in: collection, expectedIn: month)
    }
  }

  /// The number of records in a collection, on all days or within `days`. Unchanged months are counted without reading
  /// them unless only part of a month is asked for.
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

  /// The records of a collection, newest first: by day, then time of creation, then id, all descending. Undated
  /// records come last, or are left out when `days` is given.
  ///
  /// - Parameters:
  ///   - after: The position after which the list continues, whether or not a record still has it.
  ///   - limit: The maximum number of records.
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

  /// Calls `body` for each of these records until it returns false.
  package func forEachRecord(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil,
    _ body: (borrowing Record) -> Bool
  ) {
    forEachView(in: collection, days: days, after: after) { $0.lend(to: body) }
  }

  /// Like `forEachRecord`, with views, for callers that need little of each record.
  package func forEachView(
    in collection: CollectionName, days: ClosedRange<CivilDay>? = nil, after: Position? = nil,
    _ body: (borrowing RecordView) -> Bool
  ) {
    let months = months(of: collection).reversed().filter { $0.mayHold(days, before: after) }
    var ahead: ReadAhead?
    defer { ahead?.end() }
    for (step, month) in months.enumerated() {
      // A caller that wants a second month may want them all.
      if step == 1 { ahead = base.readAhead(months, of: collection, from: 2) }
      ahead?.begin(step)
      guard visit(month, of: collection, days: days, before: after, body) else { return }
    }
  }

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

  /// The days from the first to the last month in which a collection has, or had, records; nil without dated records.
  package func span(of collection: CollectionName) -> ClosedRange<CivilDay>? {
    let months = months(of: collection).compactMap(\.days)
    guard let first = months.first, let last = months.last else { return nil }
    return first.lowerBound...last.upperBound
  }

  /// Every month of every collection, by collection name, oldest first.
  func keys() throws(StoreError) -> [SegmentKey] {
    var keys: [SegmentKey] = []
    for collection in collections {
      for month in months(of: collection) {
        guard let key = SegmentKey(collection, month) else {
          throw StoreError(.storeUnavailable, "The collection name “\(collection)” is not a valid folder name.")
        }
        keys.append(key)
      }
    }
    return keys
  }

  func records(of key: SegmentKey) -> [Record] {
    var records: [Record] = []
    visit(key.month, of: key.collection) { view in
      records.append(view.record)
      return true
    }
    return records.reversed()
  }

  /// Visits the records of one month, newest first; false when `body` stopped it.
  @discardableResult func visit(
    _ month: MonthKey, of collection: CollectionName, days: ClosedRange<CivilDay>? = nil, before: Position? = nil,
    _ body: (borrowing RecordView) -> Bool
  ) -> Bool {
    Threads.yieldIfDue()
    let range = PositionRange(days: days, before: before)
    let changes = overlays[collection]?.partition(month)
    guard let segment = base.segment(month, of: collection) else {
      return changes?.forEachNewestFirst(range, body) ?? true
    }
    // Reading it may have taken as long as what follows.
    Threads.yieldIfDue()
    // Views hold the segment without reference counting.
    return withExtendedLifetime(segment) {
      MonthMerge(segment: segment, changes: changes).forEachNewestFirst(range, body)
    }
  }

  /// The changes of one month since the last checkpoint.
  func changes(of month: MonthKey, in collection: CollectionName) -> MonthPartition? {
    overlays[collection]?.partition(month)
  }

  // MARK: mutation

  /// Puts a record, replacing the version at `before`.
  mutating func put(_ record: Record, replacing before: Position?, in collection: CollectionName) {
    overlays[collection, default: Overlay()].put(record, replacing: before)
  }

  mutating func remove(_ id: EntityID, at before: Position?, from collection: CollectionName, since revision: Int) {
    overlays[collection, default: Overlay()].remove(id, at: before, since: revision)
  }

  /// The record if it changed since the last checkpoint; reads no segment.
  func recentRecord(_ id: EntityID, in collection: CollectionName) -> Record? {
    guard case .record(let record)? = overlays[collection]?.lookup(id) else { return nil }
    return record
  }

  /// Replaces the segments by newer ones, and drops the changes that they contain.
  mutating func rebase(on new: StoreBase) {
    base = new
    overlays = overlays.mapValues { $0.dropping(upTo: new.revision) }
    revision = max(revision, new.revision)
  }
}

struct PositionRange {
  let days: ClosedRange<CivilDay>?
  /// The position before which the range ends; nil for no limit.
  let end: Position?
  /// The position at which the range starts; nil for no limit.
  let start: Position?

  init(days: ClosedRange<CivilDay>?, before: Position?) {
    self.days = days
    var end = before
    if let last = days?.upperBound {
      let next = last.advanced(by: 1)
      // Nothing follows the last representable day.
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
  /// The position before all records of a day.
  init(startOf day: CivilDay) { self.init(day: day, createdAt: Instant(milliseconds: .min), id: .zero) }
}

extension MonthKey {
  /// Whether records of this month can be within `days` and before `before`.
  fileprivate func mayHold(_ days: ClosedRange<CivilDay>?, before: Position?) -> Bool {
    if let days, self < MonthKey(days.lowerBound) || MonthKey(days.upperBound) < self { return false }
    if let before, MonthKey(before.day) < self { return false }
    return true
  }

  /// Whether all days of this month are within `days`.
  fileprivate func isWithin(_ days: ClosedRange<CivilDay>?) -> Bool {
    guard let days else { return true }
    return MonthKey(days.lowerBound) < self && self < MonthKey(days.upperBound)
  }
}
