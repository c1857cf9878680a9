import Values

extension ManifestFiles {
  /// Segments above this are not read into memory.
  private static let longestSegment = 1 << 30

  /// A manifest of the newest segment of every month; nil when there is none. Of each month that has a finished segment,
  /// unfinished ones are what a checkpoint left that did not get to its end.
  func rebuild(
    store: EntityID, _ notes: inout [ManifestNote], _ open: Opening
  ) throws(StoreError) -> Manifest? {
    guard let (folder, _) = try open(Name.segments, root, .directory) else { return nil }
    defer { fileSystem.close(folder) }
    var entries: [SegmentEntry] = []
    var generation = 1
    for name in try names(folder).sorted() {
      let collection = CollectionName(name)
      guard collection.isFileName, try !isFile(name, in: folder),
        let (files, _) = try open(name, folder, .directory)
      else { continue }
      defer { fileSystem.close(files) }
      let found = try names(files).compactMap(SegmentFileName.init)
      generation = max(generation, found.map(\.generation).max() ?? 1)
      for (month, versions) in Dictionary(grouping: found, by: \.month) {
        guard let key = SegmentKey(collection, month) else { continue }
        let newestFirst = versions.map(\.generation).sorted(by: >)
        if let entry = try newest(of: key, newestFirst, in: files, &notes, open) { entries.append(entry) }
      }
    }
    guard !entries.isEmpty else { return nil }
    notes.append(ManifestNote(kind: .rebuilt, file: Name.current, reason: "out of \(entries.count) segments"))
    return Manifest(
      generation: generation, store: store, revision: entries.map(\.maxRevision).max() ?? 0,
      journal: try firstJournal(open), segments: entries.sorted { $0.key < $1.key })
  }

  /// A manifest without segments, where there has been one before: everything is left to the journals.
  func empty(
    _ store: EntityID, _ generation: Int, _ notes: inout [ManifestNote], _ open: Opening
  ) throws(StoreError) -> Loaded {
    notes.append(ManifestNote(kind: .rebuilt, file: Name.current, reason: "there is no segment to be used"))
    let manifest = Manifest(generation: generation, store: store, revision: 0, journal: try firstJournal(open))
    return Loaded(
      manifest: manifest, pin: nil, source: .rebuilt, nextGeneration: ManifestFiles.next(manifest.generation))
  }

  /// What the manifest says of one month: its newest finished segment, else the newest in which a record is left.
  private func newest(
    of key: SegmentKey, _ generations: [Int], in folder: Descriptor, _ notes: inout [ManifestNote], _ open: Opening
  ) throws(StoreError) -> SegmentEntry? {
    var unfinished: (name: String, segment: Segment, entry: SegmentEntry)?
    for generation in generations {
      let name = key.fileName(generation: generation)
      let path = "\(Name.segments)/\(key.folderName)/\(name)"
      guard let (file, status) = try open(name, folder, .file) else { continue }
      defer { fileSystem.close(file) }
      let (bytes, failure) = fileSystem.contents(of: file, size: min(status.size, ManifestFiles.longestSegment))
      let segment = Segment.load(bytes, key: key, checksHash: true)
      let entry = entry(segment, generation)
      guard let entry, segment.count > 0 || segment.isIntact else {
        notes.append(ManifestNote(kind: .unusedSegment, file: path, reason: failure?.description ?? reason(segment)))
        continue
      }
      if segment.isFinished {
        if !segment.isIntact {
          notes.append(ManifestNote(kind: .damagedSegment, file: path, reason: reason(segment)))
        }
        if let unfinished { notes.append(unused(unfinished.name, unfinished.segment)) }
        return entry
      }
      if unfinished == nil { unfinished = (path, segment, entry) } else { notes.append(unused(path, segment)) }
    }
    guard let unfinished else { return nil }
    notes.append(
      ManifestNote(kind: .damagedSegment, file: unfinished.name, reason: reason(unfinished.segment)))
    return unfinished.entry
  }

  private func unused(_ path: String, _ segment: Segment) -> ManifestNote {
    ManifestNote(kind: .unusedSegment, file: path, reason: reason(segment))
  }

  /// What a manifest would have said of a segment that is perhaps damaged; nil when it is another one than its name says.
  private func entry(_ segment: Segment, _ generation: Int) -> SegmentEntry? {
    if let entry = segment.entry { return entry.generation == generation ? entry : nil }
    guard let hash = segment.fileHash else { return nil }
    return SegmentEntry(
      key: segment.key, generation: generation, count: segment.expectedCount ?? segment.count,
      bytes: segment.bytes.count, sha256: hash, minRevision: segment.minRevision, maxRevision: segment.maxRevision)
  }

  private func reason(_ segment: Segment) -> String {
    segment.damage.first?.reason ?? "its name has another generation than its first line"
  }

  /// The number of the first journal that is there; 1 when there is none.
  private func firstJournal(_ open: Opening) throws(StoreError) -> Int {
    guard let (folder, _) = try open(Name.journal, root, .directory) else { return 1 }
    defer { fileSystem.close(folder) }
    return try names(folder).compactMap(JournalFile.number).min() ?? 1
  }

  private func names(_ folder: Descriptor) throws(StoreError) -> [String] {
    try StoreError.reading { () throws(FileSystemError) in try fileSystem.names(in: folder) }
  }

  /// A file among the folders is none of ours, and may stand there.
  private func isFile(_ name: String, in folder: Descriptor) throws(StoreError) -> Bool {
    try StoreError.reading { () throws(FileSystemError) in try fileSystem.status(of: name, in: folder).kind == .file }
  }
}
