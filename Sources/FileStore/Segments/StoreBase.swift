import CivilTime
import Values

/// What one manifest names: everything up to its revision, in segments that never change and are read when they are needed.
final class StoreBase: Sendable {
  /// The manifest's number; 0 when there is none.
  let generation: Int
  /// Everything up to here is in the segments.
  let revision: Int
  /// The number of the first journal that is not.
  let journal: Int
  /// Older journals, which the segments do contain, kept for undo and the changes feed; oldest first.
  let history: [HistoryEntry]
  /// The newest month last.
  private let entries: [CollectionName: [SegmentEntry]]
  private let loader: SegmentLoader

  init(
    generation: Int, revision: Int, journal: Int, history: [HistoryEntry] = [], segments: [SegmentEntry],
    loader: SegmentLoader
  ) {
    self.generation = generation
    self.revision = revision
    self.journal = journal
    self.history = history
    self.loader = loader
    entries = Dictionary(grouping: segments) { $0.key.collection }
      .mapValues { $0.sorted { $0.key.month < $1.key.month } }
  }

  /// The names of the collections, in no order.
  var collections: some Collection<CollectionName> & Sequence<CollectionName> { entries.keys }

  /// The months of a collection, oldest first.
  func months(of collection: CollectionName) -> [MonthKey] { entries[collection]?.map(\.key.month) ?? [] }

  /// How many records a month has.
  func count(of month: MonthKey, in collection: CollectionName) -> Int { entry(month, collection)?.count ?? 0 }

  /// The records of a month; nil when there are none.
  func segment(_ month: MonthKey, of collection: CollectionName) -> Segment? {
    entry(month, collection).map { loader.segment($0) }
  }

  /// The record with that id, looked for from the newest month on.
  func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    for entry in (entries[collection] ?? []).reversed() where loader.mayHave(id, in: entry) {
      let segment = loader.segment(entry)
      if let index = segment.index(ofID: id) { return segment.record(at: index) }
    }
    return nil
  }

  private func entry(_ month: MonthKey, _ collection: CollectionName) -> SegmentEntry? {
    guard let entries = entries[collection] else { return nil }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].key.month < month { low = middle &+ 1 } else { high = middle }
    }
    return low < entries.count && entries[low].key.month == month ? entries[low] : nil
  }
}
