import CivilTime
import Platform
import Values

/// What one manifest names: everything up to its revision, in segments that never change and are read when they are needed.
final class StoreBase: Sendable {
  /// The manifest's number; 0 when there is none.
  let generation: Int
  /// A number that no manifest has had.
  let nextGeneration: Int
  /// Everything up to here is in the segments.
  let revision: Int
  /// The number of the first journal that is not.
  let journal: Int
  /// Older journals, which the segments do contain, kept for undo and the changes feed; oldest first.
  let history: [Manifest.HistoryEntry]
  /// Whether this version of the program may write on top of it.
  let isWritable: Bool
  /// Whether it was put together from the files found, because no manifest could be read. The journals may then begin with what
  /// the segments contain already.
  let isRebuilt: Bool
  /// Whether an older manifest is used, since the current one cannot be.
  let isOlder: Bool
  /// The store's id as the manifest has it; nil when there is none or it was rebuilt.
  let store: EntityID?
  /// Whether the medium refused to give up a later manifest.
  let isIncomplete: Bool
  /// The manifest's file, which its lock keeps from being cleaned away, and what tells it from others.
  private let pin: Descriptor?
  let inode: UInt64
  /// Of each collection the segments, the newest month last.
  private let entries: [CollectionName: ArraySlice<SegmentEntry>]
  let loader: SegmentLoader

  /// What there is before the first checkpoint.
  convenience init(loader: SegmentLoader, revision: Int = 0, journal: Int = 1) {
    let nothing = Manifest(generation: 0, store: .zero, revision: revision, journal: journal)
    self.init(ManifestFiles.Loaded(nothing, nil, .current), isIncomplete: false, loader: loader)
  }

  init(_ loaded: ManifestFiles.Loaded, isIncomplete: Bool, loader: SegmentLoader) {
    let manifest = loaded.manifest
    generation = manifest.generation
    nextGeneration = loaded.nextGeneration
    revision = manifest.revision
    journal = manifest.journal
    history = manifest.history
    isWritable = manifest.isWritable
    isRebuilt = loaded.source == .rebuilt
    isOlder = loaded.source == .predecessor
    store = isRebuilt || generation == 0 ? nil : manifest.store
    self.isIncomplete = isIncomplete
    pin = loaded.pin
    inode = loaded.pin.flatMap { try? loader.fileSystem.status(of: $0).inode } ?? 0
    self.loader = loader
    var entries: [CollectionName: ArraySlice<SegmentEntry>] = [:]
    var rest = manifest.segments[...]
    while let collection = rest.first?.key.collection {
      let end = (rest.startIndex..<rest.endIndex).firstIndex(notBefore: { rest[$0].key.collection == collection })
      entries[collection] = rest[..<end]
      rest = rest[end...]
    }
    self.entries = entries
  }

  deinit { if let pin { loader.fileSystem.close(pin) } }

  /// Whether something that was stored may be missing.
  var isDamaged: Bool { isRebuilt || loader.findings.contains { $0.kind.isLossPossible } }

  /// All segments, in no order.
  var allEntries: [SegmentEntry] { entries.values.flatMap { $0 } }

  /// The names of the collections, in no order.
  var collections: some Collection<CollectionName> & Sequence<CollectionName> { entries.keys }

  func months(of collection: CollectionName) -> [MonthKey] { entries[collection]?.map(\.key.month) ?? [] }

  /// How many records a month has.
  func count(of month: MonthKey, in collection: CollectionName) -> Int { entry(month, collection)?.count ?? 0 }

  /// The records of a month; nil when there are none.
  func segment(_ month: MonthKey, of collection: CollectionName) -> Segment? {
    entry(month, collection).map { loader.segment($0, of: self) }
  }

  /// Loads the segments of these months, starting at `first`, while the caller goes through the earlier ones; nil when that is not worth
  /// it: on one processor the thread would only cost its switches.
  func readAhead(_ months: [MonthKey], of collection: CollectionName, from first: Int) -> ReadAhead? {
    guard loader.readsAhead, first < months.count, let entry = entry(months[first], collection), !loader.isCached(entry),
      Processors.areSeveral
    else { return nil }
    return ReadAhead(from: first, count: months.count) { [self] step in _ = segment(months[step], of: collection) }
  }

  /// The record with that id, looked for from the newest month on.
  func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    for entry in (entries[collection] ?? []).reversed() where loader.mayHave(id, in: entry, of: self) {
      let segment = loader.segment(entry, of: self)
      if let index = segment.index(ofID: id) { return segment.record(at: index) }
    }
    return nil
  }

  /// The same, looked for in one month first: what is not damaged has an id once.
  func record(_ id: EntityID, in collection: CollectionName, expectedIn month: MonthKey?) -> Record? {
    if let month, !isDamaged, let segment = segment(month, of: collection), let index = segment.index(ofID: id) {
      return segment.record(at: index)
    }
    return record(id, in: collection)
  }

  func entry(_ month: MonthKey, _ collection: CollectionName) -> SegmentEntry? {
    guard let entries = entries[collection] else { return nil }
    let low = (entries.startIndex..<entries.endIndex).firstIndex(notBefore: { entries[$0].key.month < month })
    return low < entries.endIndex && entries[low].key.month == month ? entries[low] : nil
  }
}
