import Values

extension ManifestFiles {
  /// The maximum size of a segment that is read, in bytes.
  private static let longestSegment = 1 << 30

  /// A manifest of the newest segment of every month; nil when there is none. Where a month has a finished segment,
  /// unfinished ones are ignored as leftovers of an interrupted checkpoint.
  func rebuild(store: EntityID, _ report: inout RecoveryReport) throws(StoreError) -> Manifest? {
    guard let (segments, _) = try folder.openTrusted(StoreFolder.Name.segments, in: root, .directory, &report) else {
      return nil
    }
    defer { fileSystem.close(segments) }
    var entries: [SegmentEntry] = []
    var generation = 1
    for name in try names(segments).sorted() {
      let collection = CollectionName(name)
      guard collection.isFileName, !collection.isOfDigests, try !isFile(name, in: segments),
        let (files, _) = try folder.openTrusted(name, in: segments, .directory, &report)
      else { continue }
      defer { fileSystem.close(files) }
      let found = try names(files).compactMap(SegmentFileName.init)
      generation = max(generation, found.map(\.generation).max() ?? 1)
      for (month, versions) in Dictionary(grouping: found, by: \.month) {
        guard let key = SegmentKey(collection, month) else { continue }
        let newestFirst = versions.map(\.generation).sorted(by: >)
        if let entry = try newest(of: key, newestFirst, in: files, &report) { entries.append(entry) }
      }
    }
    guard !entries.isEmpty else { return nil }
    report.note(Finding(.rebuiltManifest, Name.current, "from \(entries.count) segments"))
    return Manifest(
      generation: generation, store: store, revision: entries.map(\.maxRevision).max() ?? 0,
      journal: try firstJournal(), segments: entries.sorted { $0.key < $1.key })
  }

  /// The entry of one month: its newest finished segment, else the newest one with a usable record.
  private func newest(
    of key: SegmentKey, _ generations: [Int], in directory: Descriptor, _ report: inout RecoveryReport
  ) throws(StoreError) -> SegmentEntry? {
    var unfinished: (name: String, segment: Segment, entry: SegmentEntry)?
    for generation in generations {
      let name = key.fileName(generation: generation)
      let path = "\(StoreFolder.Name.segments)/\(key.folderName)/\(name)"
      guard let (file, status) = try folder.openTrusted(name, in: directory, .file, &report) else { continue }
      defer { fileSystem.close(file) }
      let (bytes, failure) = fileSystem.contents(of: file, size: min(status.size, ManifestFiles.longestSegment))
      let segment = Segment.load(bytes, key: key, checksHash: true)
      let entry = entry(segment, generation)
      guard let entry, segment.count > 0 || segment.isIntact else {
        report.note(Finding(.unusedSegment, path, failure?.description ?? reason(segment)))
        continue
      }
      if segment.isFinished {
        if !segment.isIntact { report.note(Finding(.damagedSegment, path, reason(segment))) }
        if let unfinished { report.note(Finding(.unusedSegment, unfinished.name, reason(unfinished.segment))) }
        return entry
      }
      if unfinished == nil {
        unfinished = (path, segment, entry)
      } else {
        report.note(Finding(.unusedSegment, path, reason(segment)))
      }
    }
    guard let unfinished else { return nil }
    report.note(Finding(.damagedSegment, unfinished.name, reason(unfinished.segment)))
    return unfinished.entry
  }

  /// The manifest entry of a possibly damaged segment; nil when its content does not match its name.
  private func entry(_ segment: Segment, _ generation: Int) -> SegmentEntry? {
    if let entry = segment.entry { return entry.generation == generation ? entry : nil }
    guard let hash = segment.fileHash else { return nil }
    return SegmentEntry(
      key: segment.key, generation: generation, count: segment.expectedCount ?? segment.count,
      bytes: segment.bytes.count, sha256: hash, minRevision: segment.minRevision, maxRevision: segment.maxRevision)
  }

  private func reason(_ segment: Segment) -> String {
    segment.damage.first?.reason ?? "the generations in its name and its first line differ"
  }

  /// The number of the first existing journal; 1 when there is none.
  func firstJournal() throws(StoreError) -> Int {
    guard let (journal, _) = try folder.openTrusted(StoreFolder.Name.journal, in: root, .directory) else { return 1 }
    defer { fileSystem.close(journal) }
    return try names(journal).compactMap(JournalFile.number).min() ?? 1
  }

  private func names(_ folder: Descriptor) throws(StoreError) -> [String] {
    try StoreError.reading(fileSystem.names(in: folder))
  }

  /// Stray files among the collection folders are ignored.
  private func isFile(_ name: String, in folder: Descriptor) throws(StoreError) -> Bool {
    try StoreError.reading(fileSystem.status(of: name, in: folder).kind == .file)
  }
}
