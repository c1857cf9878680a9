/// Turns a store staged inside the data folder into the live store: new segments, a new journal, a new identity, and
/// last a new manifest, which is the commit. The locks are held, and nobody uses the store.
struct RestoredStore: ~Copyable {
  private let configuration: FileStore.Configuration
  /// The data folder, owned by the caller.
  private let folder: StoreFolder
  private let root: Descriptor
  private let source: StoreReading
  private let present: StoreReading

  init(_ configuration: FileStore.Configuration, _ folder: StoreFolder, staging: String) throws(StoreError) {
    guard let root = folder.root else { throw StoreError(.storeUnavailable, "There is no data folder.") }
    var reading = configuration
    reading.folder = staging
    let restored = try StoreReading(reading)
    let found = try StoreReading(configuration, isEmptyAllowed: true)
    self.configuration = configuration
    self.folder = folder
    self.root = root
    source = restored
    present = found
  }

  /// Publishes the restored store; returns its revision.
  ///
  /// - Parameter willCommit: Called with the manifest's hash before it is put in place.
  func publish(_ willCommit: (SHA256Digest) throws(StoreError) -> Void) throws(StoreError) -> Int {
    guard let identity = source.folder.identity else {
      throw StoreError(.backupDamaged, "The backup does not identify its store.")
    }
    let base = present.snapshot.base
    // Above every revision that anyone has seen, so that nobody takes a later revision for an earlier one.
    let revision = try StoreError.revision(after: max(present.snapshot.revision, source.snapshot.revision))
    // Remains of an interrupted attempt.
    try SegmentFiles.remove(in: folder) { _, _, generation in generation >= base.nextGeneration }
    let journal = try startJournal()
    let segments = try writeSegments(generation: base.nextGeneration, revision)
    let new = StoreIdentity(
      format: StoreIdentity.currentFormat, store: identity.store, replica: configuration.newID(),
      createdAt: identity.createdAt)
    // Before the manifest: the old content under a new replica id is harmless, the restored content under the old id
    // would not be.
    try configuration.replace(StoreFolder.Name.identity, in: folder, with: new.bytes)
    let manifest = Manifest(
      generation: base.nextGeneration, store: identity.store, revision: revision,
      features: configuration.participants.features(of: present.snapshot), journal: journal, segments: segments)
    try willCommit(SHA256.hash(manifest.bytes))
    try ManifestFiles(folder: folder, root: root).publish(manifest, replacing: base, configuration)
    return revision
  }

  /// Starts a journal whose number is above all used or promised ones; returns the number.
  private func startJournal() throws(StoreError) -> Int {
    let (fileSystem, root) = (configuration.fileSystem, root)
    return try StoreError.writing { () throws(FileSystemError) in
      let journal = try SegmentFiles.directory(StoreFolder.Name.journal, in: root, fileSystem)
      defer { fileSystem.close(journal) }
      let number = try present.content.nextJournal(journal, fileSystem)
      fileSystem.close(try fileSystem.createFile(JournalFile.name(number), in: journal))
      try fileSystem.synchronizeDirectory(journal)
      return number
    }
  }

  /// Writes every month with the restore's revision.
  private func writeSegments(generation: Int, _ revision: Int) throws(StoreError) -> [SegmentEntry] {
    var files = try SegmentFiles(folder, configuration.digests())
    let kept = try keptRecords(revision)
    let restored = try source.snapshot.keys().filter { !keptCollections.contains($0.collection) }
    for key in restored + kept.keys.sorted(by: { ($0.folderName, $0.monthText) < ($1.folderName, $1.monthText) }) {
      let records = kept[key] ?? restoredRecords(key, revision)
      try files.write(try SegmentWriter.segment(key, generation, records), key) { records.lendNewestFirst(to: $0) }
    }
    try files.synchronize()
    let entries = SegmentFiles.entries(files.written, replacing: [])
    files.digests.write(for: entries, over: present.snapshot.base, generation: generation, in: folder, reading: 0)
    return entries
  }

  private var keptCollections: Set<CollectionName> {
    configuration.participants.reduce(into: []) { $0.formUnion($1.folderCollections) }
  }

  private func restoredRecords(_ key: SegmentKey, _ revision: Int) -> [Record] {
    let adopting = configuration.adopting.first { $0.collection == key.collection }?.body
    return source.snapshot.records(of: key).map { record in
      let present = adopting == nil ? nil : present.snapshot.record(record.id, in: key.collection)
      return Record(record, revision: revision, body: adopting?(record, present).map { RecordBody($0[...]) })
    }
  }

  /// What belongs to the folder, with what participants add, by month.
  private func keptRecords(_ revision: Int) throws(StoreError) -> [SegmentKey: [Record]] {
    let kept = keptCollections
    var records: [SegmentKey: [Record]] = [:]
    for key in try present.snapshot.keys() where kept.contains(key.collection) {
      records[key] = present.snapshot.records(of: key).map { Record($0, revision: revision) }
    }
    for participant in configuration.participants {
      for operation in participant.additions(toRestoreOver: present.snapshot, at: configuration.now()) {
        guard let new = operation.record(revision: revision),
          let key = SegmentKey(operation.collection, MonthKey(new.day))
        else { continue }
        records[key, default: []].removeAll { $0.id == new.id }
        records[key, default: []].append(new)
        records[key]?.sort { $0.position < $1.position }
      }
    }
    return records
  }
}

extension Record {
  /// A copy with another revision, and another body if given.
  init(_ other: borrowing Record, revision: Int, body: RecordBody? = nil) {
    self.init(
      id: other.id, day: other.day, createdAt: other.createdAt, updatedAt: other.updatedAt, schema: other.schema,
      revision: revision, body: body ?? other.body)
  }
}

extension [Record] {
  /// Lends the records of an ascending list, newest first, until `body` returns false.
  func lendNewestFirst(to body: (borrowing Record) -> Bool) {
    for record in reversed() { guard body(record) else { return } }
  }
}

extension SegmentWriter {
  /// The segment of some records in ascending order; nil when there are none.
  static func segment(_ key: SegmentKey, _ generation: Int, _ records: some Collection<Record>) throws(StoreError) -> (
    bytes: [UInt8], entry: SegmentEntry
  )? {
    guard !records.isEmpty else { return nil }
    let size = records.reduce(4096) { $0 + $1.body.count + 224 }
    var writer = SegmentWriter(key, generation: generation, expectedBytes: size)
    do throws(SegmentWriterError) { for record in records { try writer.append(record) } } catch {
      throw StoreError(.storeUnavailable, "A record of \(key) cannot be written to a segment (\(error)).")
    }
    return writer.finish()
  }
}
