import CivilTime
import Platform
import Values

/// The content of one manifest: everything up to its revision, in immutable segments that are read on demand.
final class StoreBase: Sendable {
  /// The manifest's generation; 0 when there is none.
  let generation: Int
  /// A generation that no manifest has had.
  let nextGeneration: Int
  /// The segments contain everything up to here.
  let revision: Int
  /// The number of the first journal after the segments.
  let journal: Int
  /// Older journals already folded into segments, kept for undo and the changes feed; oldest first.
  let history: [Manifest.HistoryEntry]
  /// Whether this version of the program may write on top of it.
  let isWritable: Bool
  /// Whether it was rebuilt from the files, because no manifest was readable. The journals may then overlap the
  /// segments.
  let isRebuilt: Bool
  /// Whether an older manifest is used because the current one is unusable.
  let isOlder: Bool
  /// The store id in the manifest; nil when there is none or it was rebuilt.
  let store: EntityID?
  /// Whether a newer manifest could not be read.
  let isIncomplete: Bool
  /// The manifest's file, whose lock keeps it from being removed, and the inode that identifies it.
  private let pin: Descriptor?
  let inode: UInt64
  /// The segments of each collection, ascending by month.
  let entries: [CollectionName: ArraySlice<SegmentEntry>]
  let loader: SegmentLoader

  /// An empty base, before the first checkpoint.
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

  var isDamaged: Bool { isRebuilt || loader.findings.contains { $0.kind.isLossPossible } }

  /// All segments, unordered.
  var allEntries: [SegmentEntry] { entries.values.flatMap { $0 } }

  /// The names of the collections, unordered.
  var collections: some Collection<CollectionName> & Sequence<CollectionName> { entries.keys }

  func months(of collection: CollectionName) -> [MonthKey] { entries[collection]?.map(\.key.month) ?? [] }

  func count(of month: MonthKey, in collection: CollectionName) -> Int { entry(month, collection)?.count ?? 0 }

  /// The records of a month; nil when there are none.
  func segment(_ month: MonthKey, of collection: CollectionName) -> Segment? {
    entry(month, collection).map { loader.segment($0, of: self) }
  }

  /// Starts loading the segments of `months` from index `first` on, while the caller processes earlier ones; nil when
  /// that does not pay, as on one processor.
  func readAhead(_ months: [MonthKey], of collection: CollectionName, from first: Int) -> ReadAhead? {
    guard loader.readsAhead, first < months.count, let entry = entry(months[first], collection),
      !loader.isCached(entry),
      Processors.areSeveral
    else { return nil }
    return ReadAhead(from: first, count: months.count) { [self] step in _ = segment(months[step], of: collection) }
  }

  /// The record with that id, searched from the newest month backwards.
  func record(_ id: EntityID, in collection: CollectionName) -> Record? {
    for entry in (entries[collection] ?? []).reversed() where loader.mayHave(id, in: entry, of: self) {
      let segment = loader.segment(entry, of: self)
      if let index = segment.index(ofID: id) { return segment.record(at: index) }
    }
    return nil
  }

  /// Like `record(_:in:)`, but looks in one month first; undamaged segments have each id once.
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
