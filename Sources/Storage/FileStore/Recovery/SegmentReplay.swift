import Values

/// Makes segments again that are damaged or gone, out of older generations and of the journals that are kept.
struct SegmentReplay: Sendable {
  /// A segment that was made again.
  struct Remade {
    var segment: Segment
    /// Whether it is byte for byte what the manifest means.
    var isProven: Bool
  }

  /// The number of the first journal that is not taken into account, since the segments do not contain it.
  let journal: Int
  /// What the older journals tell; nil when they cannot be read, or the folder has been exchanged.
  private let told: Snapshot?

  /// Reads the journals before number `journal` that are there.
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

  /// The segment that an entry means: what is left of it, and the older ones of its month, newest first, are what there is to
  /// begin with. What cannot be proven is the best there is; nil when there is nothing at all.
  ///
  /// - Parameter otherMonths: The records that other months have now. They may have moved there before the journals begin, so that
  ///   without proof an older segment's word for them is not taken.
  func remake(_ entry: SegmentEntry, from rest: Segment?, _ older: [Segment], otherMonths: () -> Set<EntityID>)
    -> Remade?
  {
    let changes = told?.changes(of: entry.key.month, in: entry.key.collection)
    let sources = older.map(Optional.some) + [nil]
    func made(_ source: Segment?, without gone: Set<EntityID>) -> Remade? {
      guard source != nil || changes != nil else { return nil }
      var records = RecordSelection()
      if let source { records.take(source) { !gone.contains($0) } }
      if let changes { records.take(changes) }
      return records.segment(entry)
    }
    for source in sources { if let made = made(source, without: []), made.isProven { return made } }
    let gone = otherMonths()
    guard let rest, rest.count > 0 else {
      let best = sources.lazy.compactMap { made($0, without: gone) }.first
      return best.map { Remade(segment: $0.segment, isProven: false) }
    }
    // Of what is left every record is right. Beside it belong those that the journals have, and those that the damaged lines
    // name, though perhaps in an older version.
    var records = RecordSelection()
    records.take(rest)
    if let changes { records.take(changes, unlessPresent: true) }
    let named = Set(RecordReference.all(inDamageOf: rest).map(\.id)).subtracting(gone)
    for segment in older { records.take(segment) { named.contains($0) } }
    return records.segment(entry)
  }

  /// The segment out of its own records alone: nothing but its first and last lines, or what stands between its lines, is damaged
  /// if that proves to be what the manifest means.
  static func prove(_ segment: Segment, _ entry: SegmentEntry) -> Segment? {
    guard segment.count == entry.count else { return nil }
    var records = RecordSelection()
    records.take(segment)
    guard let made = records.segment(entry), made.isProven else { return nil }
    return made.segment
  }
}

/// Records of one month out of several sources, each once.
private struct RecordSelection {
  private struct Choice {
    let position: Position
    let revision: Int
    /// Its line in a segment; of a record out of a journal nil.
    let line: ArraySlice<UInt8>?
    let record: Record?
  }

  private var choices: [EntityID: Choice] = [:]

  /// Takes the records of a segment that are meant and not there yet.
  mutating func take(_ segment: Segment, where isMeant: (EntityID) -> Bool = { _ in true }) {
    for index in 0..<segment.count {
      let id = segment.id(at: index)
      guard isMeant(id), choices[id] == nil else { continue }
      choices[id] = Choice(
        position: segment.position(at: index), revision: segment.revision(at: index), line: segment.rawLine(at: index),
        record: nil)
    }
  }

  /// Takes what journals tell of the month, as far as it is later than what is there.
  mutating func take(_ changes: MonthPartition, unlessPresent: Bool = false) {
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

  /// Their segment; nil when there is none.
  func segment(_ entry: SegmentEntry) -> SegmentReplay.Remade? {
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
    return SegmentReplay.Remade(segment: Segment.load(bytes, key: entry.key), isProven: made.sha256 == entry.sha256)
  }
}

extension RecordReference {
  /// The records that the damaged lines of a segment name.
  fileprivate static func all(inDamageOf segment: Segment) -> [RecordReference] {
    segment.bytes.withUnsafeBytes { file in
      segment.damage.filter { $0.kind.isUnused && $0.kind != .duplicate && !$0.range.isEmpty }.flatMap { damage in
        all(in: UnsafeRawBufferPointer(rebasing: file[damage.range]), of: segment.key.collection)
      }
    }
  }
}
