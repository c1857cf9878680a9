import Values

/// Rebuilds damaged or missing segments from older generations and the retained journals.
struct SegmentReplay: Sendable {
  struct RebuiltSegment {
    var segment: Segment
    /// Whether it is byte for byte the one in the manifest.
    var isProven: Bool
  }

  /// The number of the first journal that is ignored, because it is not folded into the segments.
  let journal: Int
  /// The content of the older journals; nil when they are unreadable, or the folder was replaced.
  private let told: Snapshot?

  /// Reads the existing journals before number `journal`.
  init(_ path: String, _ fileSystem: any FileSystem, segments: Descriptor?, before journal: Int) {
    self.journal = journal
    told = SegmentReplay.read(path, fileSystem, segments: segments, before: journal)
  }

  private static func read(_ path: String, _ fileSystem: any FileSystem, segments: Descriptor?, before journal: Int)
    -> Snapshot?
  {
    var report = RecoveryReport()
    guard var folder = try? StoreFolder(opening: path, fileSystem, &report) else { return nil }
    defer { folder.close() }
    guard let root = folder.root, let segments,
      let present = try? fileSystem.status(of: StoreFolder.Name.segments, in: root),
      let own = try? fileSystem.status(of: segments), present.isSameFile(as: own)
    else { return nil }
    var memory = StoreMemory(
      base: StoreBase(loader: SegmentLoader(without: fileSystem)), retainedChanges: 0, undoDepth: 0)
    var reader = JournalFollower(fileSystem, after: nil, recent: 1 << 16)
    defer { reader.close() }
    guard journal > 1, (try? reader.catchUp(folder, from: 1, through: journal - 1, &memory)) != nil
    else { return nil }
    return memory.snapshot
  }

  /// Rebuilds the segment of an entry from its remainder and the older ones of its month, newest first. Without proof
  /// the best result is returned; nil when there is nothing to build from.
  ///
  /// - Parameter otherMonths: The ids of records now in other months. They may have moved there before the first
  ///   journal, so without proof an older segment's version of them is ignored.
  func remake(_ entry: SegmentEntry, from rest: Segment?, _ older: [Segment], otherMonths: () -> Set<EntityID>)
    -> RebuiltSegment?
  {
    let changes = told?.changes(of: entry.key.month, in: entry.key.collection)
    let sources = older.map(Optional.some) + [nil]
    func made(_ source: Segment?, without gone: Set<EntityID>) -> RebuiltSegment? {
      guard source != nil || changes != nil else { return nil }
      var records = RecordSelection()
      if let source { records.add(source) { !gone.contains($0) } }
      if let changes { records.add(changes) }
      return records.segment(entry)
    }
    for source in sources { if let made = made(source, without: []), made.isProven { return made } }
    let gone = otherMonths()
    guard let rest, rest.count > 0 else {
      let best = sources.lazy.compactMap { made($0, without: gone) }.first
      return best.map { RebuiltSegment(segment: $0.segment, isProven: false) }
    }
    // Every remaining record is right. It is completed by records from the journals, and by those that the damaged
    // lines name, possibly in an older version.
    var records = RecordSelection()
    records.add(rest)
    if let changes { records.add(changes, unlessPresent: true) }
    let named = Set(RecordReference.all(inDamageOf: rest).map(\.id)).subtracting(gone)
    for segment in older { records.add(segment) { named.contains($0) } }
    return records.segment(entry)
  }

  /// Rebuilds a segment from its own records: if the result matches the manifest, only the header, the footer or the
  /// text between lines was damaged.
  static func prove(_ segment: Segment, _ entry: SegmentEntry) -> Segment? {
    guard segment.count == entry.count else { return nil }
    var records = RecordSelection()
    records.add(segment)
    guard let made = records.segment(entry), made.isProven else { return nil }
    return made.segment
  }
}

/// Records of one month collected from several sources, each once.
private struct RecordSelection {
  private struct Choice {
    let position: Position
    let revision: Int
    /// Its line in a segment; nil for a record from a journal.
    let line: ArraySlice<UInt8>?
    let record: Record?
  }

  private var choices: [EntityID: Choice] = [:]

  /// Adds the selected records of a segment that are not present yet.
  mutating func add(_ segment: Segment, where isMeant: (EntityID) -> Bool = { _ in true }) {
    for index in 0..<segment.count {
      let id = segment.id(at: index)
      guard isMeant(id), choices[id] == nil else { continue }
      choices[id] = Choice(
        position: segment.position(at: index), revision: segment.revision(at: index), line: segment.rawLine(at: index),
        record: nil)
    }
  }

  /// Adds the journals' changes of the month that are newer than what is present.
  mutating func add(_ changes: MonthPartition, unlessPresent: Bool = false) {
    for record in changes.runs.joined() {
      let present = choices[record.id]
      if unlessPresent, present != nil { continue }
      if record.isHole {
        if let present, present.position == record.position, present.revision < record.revision {
          choices[record.id] = nil
        }
      } else if present.map({ $0.revision < record.revision }) ?? true {
        choices[record.id] = Choice(position: record.position, revision: record.revision, line: nil, record: record)
      }
    }
  }

  /// The segment of these records; nil when there are none.
  func segment(_ entry: SegmentEntry) -> SegmentReplay.RebuiltSegment? {
    var writer = SegmentWriter(entry.key, generation: entry.generation, expectedBytes: entry.bytes)
    do throws(SegmentWriterError) {
      for choice in choices.values.sorted(by: { $0.position < $1.position }) {
        if let record = choice.record {
          try writer.append(record)
        } else if let line = choice.line {
          try line.withUnsafeBufferPointer { bytes throws(SegmentWriterError) in
            try writer.append(
              rawLine: UnsafeRawBufferPointer(bytes), position: choice.position, revision: choice.revision)
          }
        }
      }
    } catch { return nil }
    guard writer.count > 0 else { return nil }
    let (bytes, made) = writer.finish()
    return SegmentReplay.RebuiltSegment(
      segment: Segment.load(bytes, key: entry.key), isProven: made.sha256 == entry.sha256)
  }
}

extension RecordReference {
  /// The records named by the damaged lines of a segment.
  fileprivate static func all(inDamageOf segment: Segment) -> [RecordReference] {
    segment.bytes.withUnsafeBytes { file in
      segment.damage.filter { $0.kind.isUnused && $0.kind != .duplicate && !$0.range.isEmpty }.flatMap { damage in
        all(in: UnsafeRawBufferPointer(rebasing: file[damage.range]), of: segment.key.collection)
      }
    }
  }
}
