import CivilTime
import Values

/// A record that changed since a revision, as it is now.
package struct ChangedRecord: Sendable, Equatable {
  package let collection: CollectionName
  package let id: EntityID
  /// The revision of its latest change.
  package let revision: Int
  /// Its day now; nil when it has none or is deleted.
  package let day: CivilDay?
  /// Its day at the revision asked about, when that was another one.
  package let previousDay: CivilDay?
  /// Its day when it was deleted.
  package let lastDay: CivilDay?
  /// Whether it did not exist at the revision asked about.
  package let isNew: Bool
  package let isDeleted: Bool
}

/// What changed between two revisions.
package struct ChangePage: Sendable, Equatable {
  /// Each changed record once, in the order of their latest changes.
  package let records: [ChangedRecord]
  /// The revision that one knows of after taking these in; ask for what came since that one next.
  package let revision: Int
  /// Whether that is the present.
  package let isComplete: Bool
}

/// Which records the latest transactions changed.
struct ChangeLog: Sendable {
  private struct Entry {
    let revision: Int
    let collection: CollectionName
    let id: EntityID
    /// The record's day before this change.
    let dayBefore: CivilDay?
    let existedBefore: Bool
  }

  /// The oldest revision whose later changes are all known.
  private(set) var floor = 0
  /// Whether changes before the floor were lost, so that nothing older can be joined on.
  private var isCut = false
  private var entries: [Entry] = []
  /// How many entries are kept at least.
  private let capacity: Int

  init(capacity: Int, floor: Int) {
    self.capacity = max(1, capacity)
    self.floor = floor
  }

  /// Takes in a change of a record, the latest of all.
  mutating func append(_ collection: CollectionName, _ id: EntityID, before: Record?, revision: Int) {
    entries.append(
      Entry(
        revision: revision, collection: collection, id: id, dayBefore: before?.day, existedBefore: before != nil))
  }

  /// Forgets what is beyond the number to be kept, in whole transactions, but for the latest, however large: it is told of.
  mutating func trim() {
    // Cutting only from time to time keeps the cost per transaction constant.
    guard entries.count > capacity * 2, let latest = entries.last?.revision else { return }
    floor = max(floor, min(entries[entries.count - capacity - 1].revision, latest - 1))
    entries.removeFirst(lowerBound(after: floor))
  }

  /// Takes in what an older log knows of the time before this one's.
  mutating func prepend(_ older: ChangeLog) {
    guard !isCut, older.floor < floor else { return }
    entries.insert(contentsOf: older.entries.prefix { $0.revision <= floor }, at: 0)
    floor = older.floor
  }

  /// Says that something before `revision` was lost, so that nobody who saw it can be told what changed.
  mutating func lose(before revision: Int) {
    floor = max(floor, revision - 1)
    isCut = true
    entries.removeAll { $0.revision <= floor }
  }

  /// Forgets everything after a revision.
  mutating func rollBack(to revision: Int) {
    while let last = entries.last, last.revision > revision { entries.removeLast() }
  }

  /// The records changed after `revision`, each once with its latest change, in the order of these changes; about `limit` at most, as
  /// records last changed by the same transaction are not separated. What is left out does not count, but its revisions are passed.
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
    // A transaction that is larger than the limit is told whole all the same.
    if count == 0, !changed.isEmpty { count = 1 }
    while isSplit(at: count) { count += 1 }
    let records = changed[..<count].map { record($0, in: snapshot) }
    let isComplete = count == changed.count
    return ChangePage(
      records: records, revision: isComplete ? snapshot.revision : records.last?.revision ?? revision,
      isComplete: isComplete)
  }

  /// The records of some collections that changed after `revision`, as in a page; nil when that is not known any more, or they were
  /// changed more than `limit` times. Takes next to no time for what other collections have.
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

  /// The first and the last change of a record, by their places.
  private typealias Span = (first: Int, last: Int)

  /// Of the entries at some places, ascending, those of each record, in the order of their latest changes.
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
    // By place, which is the order of the operations.
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

  /// Where the first entry after `revision` stands.
  private func lowerBound(after revision: Int) -> Int {
    (0..<entries.count).firstIndex(notBefore: { entries[$0].revision <= revision })
  }
}

extension Dictionary {
  /// The value of a key, which is `value` from now on if it has none: one look where a read and a write take two.
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
