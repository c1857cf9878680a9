import CivilTime
import Values

/// A record that changed since a revision, in its present state.
package struct ChangedRecord: Sendable, Equatable {
  package let collection: CollectionName
  package let id: EntityID
  package let revision: Int
  /// Its present day; nil when it has none or is deleted.
  package let day: CivilDay?
  /// Its day at the given revision, if different.
  package let previousDay: CivilDay?
  package let lastDay: CivilDay?
  /// Whether it did not exist at the given revision.
  package let isNew: Bool
  package let isDeleted: Bool
}

package struct ChangePage: Sendable, Equatable {
  /// Each changed record once, ordered by latest change.
  package let records: [ChangedRecord]
  /// The revision that the page reaches; the next page starts after it.
  package let revision: Int
  /// Whether that is the latest revision.
  package let isComplete: Bool
}

/// The records that recent transactions changed.
struct ChangeLog: Sendable {
  private struct Entry {
    let revision: Int
    let collection: CollectionName
    let id: EntityID
    let dayBefore: CivilDay?
    let existedBefore: Bool
  }

  /// The oldest revision after which all changes are known.
  private(set) var floor = 0
  /// Whether changes before the floor were lost, so that no older log can be prepended.
  private var isCut = false
  private var entries: [Entry] = []
  /// The minimum number of entries kept.
  private let capacity: Int

  init(capacity: Int, floor: Int) {
    self.capacity = max(1, capacity)
    self.floor = floor
  }

  mutating func append(_ collection: CollectionName, _ id: EntityID, before: Record?, revision: Int) {
    entries.append(
      Entry(
        revision: revision, collection: collection, id: id, dayBefore: before?.day, existedBefore: before != nil))
  }

  /// Drops surplus entries in whole transactions, but never the latest transaction, which is still to be reported.
  mutating func trim() {
    // Trimming only from time to time keeps the cost per transaction constant.
    guard entries.count > capacity * 2, let latest = entries.last?.revision else { return }
    floor = max(floor, min(entries[entries.count - capacity - 1].revision, latest - 1))
    entries.removeFirst(lowerBound(after: floor))
  }

  /// Adds the changes of an older log.
  mutating func prepend(_ older: ChangeLog) {
    guard !isCut, older.floor < floor else { return }
    entries.insert(contentsOf: older.entries.prefix { $0.revision <= floor }, at: 0)
    floor = older.floor
  }

  /// Records that changes before `revision` were lost.
  mutating func lose(before revision: Int) {
    floor = max(floor, revision - 1)
    isCut = true
    entries.removeAll { $0.revision <= floor }
  }

  mutating func rollBack(to revision: Int) {
    while let last = entries.last, last.revision > revision { entries.removeLast() }
  }

  /// The records changed after `revision`, each once, ordered by latest change. Returns about `limit`, because records
  /// last changed by one transaction stay together. Hidden collections do not count, but the page still advances past
  /// their revisions.
  func page(since revision: Int, limit: Int, leavingOut hidden: Set<CollectionName> = [], in snapshot: Snapshot)
    -> ChangePage?
  {
    guard revision >= floor, revision <= snapshot.revision else { return nil }
    let changed = latest(
      (lowerBound(after: revision)..<entries.count).filter { !hidden.contains(entries[$0].collection) })
    func isSplit(at index: Int) -> Bool {
      index > 0 && index < changed.count
        && entries[changed[index].last].revision == entries[changed[index - 1].last].revision
    }
    var count = min(max(1, limit), changed.count)
    while isSplit(at: count) { count -= 1 }
    // A transaction larger than the limit is returned whole.
    if count == 0, !changed.isEmpty { count = 1 }
    while isSplit(at: count) { count += 1 }
    let records = changed[..<count].map { record($0, in: snapshot) }
    let isComplete = count == changed.count
    return ChangePage(
      records: records, revision: isComplete ? snapshot.revision : records.last?.revision ?? revision,
      isComplete: isComplete)
  }

  /// The records of some collections that changed after `revision`, as in a page; nil when the log does not reach
  /// back, or there were more than `limit` changes. Changes of other collections cost next to nothing.
  func records(since revision: Int, of collections: [CollectionName], atMost limit: Int, in snapshot: Snapshot)
    -> [ChangedRecord]?
  {
    guard revision >= floor, revision <= snapshot.revision else { return nil }
    var places: [Int] = []
    for place in lowerBound(after: revision)..<entries.count where collections.contains(entries[place].collection) {
      if places.count == limit { return nil }
      places.append(place)
    }
    return latest(places).map { record($0, in: snapshot) }
  }

  /// The revisions after `revision` that changed a collection.
  func revisions(since revision: Int, of collection: CollectionName) -> Set<Int> {
    var revisions: Set<Int> = []
    for entry in entries[lowerBound(after: revision)...] where entry.collection == collection {
      revisions.insert(entry.revision)
    }
    return revisions
  }

  /// The indices of a record's first and last change.
  private typealias Span = (first: Int, last: Int)

  /// The spans of the records in some entries, given by ascending index, ordered by latest change.
  private func latest(_ places: [Int]) -> [Span] {
    guard places.count > 1 else { return places.map { ($0, $0) } }
    var numbers: [RecordName: Int] = [:]
    numbers.reserveCapacity(places.count)
    var spans: [Span] = []
    spans.reserveCapacity(places.count)
    var isOrdered = true
    for place in places {
      let number = numbers[
        RecordName(collection: entries[place].collection, id: entries[place].id), setDefault: spans.count]
      if number == spans.count {
        spans.append((place, place))
      } else {
        spans[number].last = place
        isOrdered = false
      }
    }
    // By index, which is the order of the operations.
    return isOrdered ? spans : spans.sorted { $0.last < $1.last }
  }

  private func record(_ span: Span, in snapshot: Snapshot) -> ChangedRecord {
    let (first, last) = (entries[span.first], entries[span.last])
    let record = snapshot.record(last.id, in: last.collection)
    return ChangedRecord(
      collection: last.collection, id: last.id, revision: last.revision, day: record?.day,
      previousDay: first.existedBefore && first.dayBefore != record?.day ? first.dayBefore : nil,
      lastDay: record == nil ? last.dayBefore : nil, isNew: !first.existedBefore, isDeleted: record == nil)
  }

  /// The index of the first entry after `revision`.
  private func lowerBound(after revision: Int) -> Int {
    (0..<entries.count).firstIndex(notBefore: { entries[$0].revision <= revision })
  }
}

extension Dictionary {
  /// The value of a key, set to `value` if missing, with one lookup.
  fileprivate subscript(key: Key, setDefault value: @autoclosure () -> Value) -> Value {
    mutating get {
      func found(_ place: inout Value?) -> Value {
        if let place { return place }
        let new = value()
        place = new
        return new
      }
      return found(&self[key])
    }
  }
}
