/// Writes segments into the folder.
struct SegmentFiles: ~Copyable {
  private let fileSystem: any FileSystem
  private let root: Descriptor
  /// The collection folders written to.
  private var tree: FolderTree
  /// The entries written; nil for a month that no longer has records.
  private(set) var written: [SegmentKey: SegmentEntry?] = [:]
  /// The digests of the segments written.
  private(set) var digests: NewDigests

  init(_ folder: StoreFolder, _ digests: [Digest]) throws(StoreError) {
    self.digests = NewDigests(digests)
    guard let parent = folder.root else { throw StoreError(.storeUnavailable, "There is no data folder.") }
    let root = try StoreError.writing(
      SegmentFiles.directory(StoreFolder.Name.segments, in: parent, folder.fileSystem))
    fileSystem = folder.fileSystem
    self.root = root
    tree = FolderTree(fileSystem, root, creates: true)
  }

  deinit { fileSystem.close(root) }

  /// Writes a month: creates its file under a new name, syncs it, reads it back and compares. A month without records
  /// gets no file. `records` lends the month's records for the digests.
  mutating func write(
    _ built: (bytes: [UInt8], entry: SegmentEntry)?, _ key: SegmentKey, _ records: @escaping Digest.Records
  ) throws(StoreError) {
    written[key] = .some(nil)
    guard let built else { return }
    do throws(FileSystemError) {
      let place = try tree.place(of: built.entry.path)
      try fileSystem.create(place.name, in: place.folder, built.bytes)
      // The copy must be correct on disk before the original is given up.
      let reading = try fileSystem.openFile(place.name, in: place.folder, for: .reading)
      defer { fileSystem.close(reading) }
      try fileSystem.verify(built.bytes, in: reading)
    } catch { throw StoreError(writing: error) }
    written[key] = built.entry
    digests.add(key, records)
  }

  /// Syncs the directories, so that all new names are durable.
  func synchronize() throws(StoreError) { try StoreError.writing(tree.synchronize()) }

  /// The manifest's segments after replacing `old` ones by those written, ascending.
  static func entries(_ written: [SegmentKey: SegmentEntry?], replacing old: [SegmentEntry]) -> [SegmentEntry] {
    (old.filter { written[$0.key] == nil } + written.values.compactMap { $0 }).sorted { $0.key < $1.key }
  }

  /// Opens a folder, creating it if needed.
  static func directory(_ name: String, in parent: Descriptor, _ fileSystem: any FileSystem) throws(FileSystemError)
    -> Descriptor
  {
    if let present = try FileSystemError.ignoring(.notFound, fileSystem.openDirectory(name, in: parent)) {
      return present
    }
    try fileSystem.makeDirectoryIfMissing(name, in: parent)
    try fileSystem.synchronizeDirectory(parent)
    return try fileSystem.openDirectory(name, in: parent)
  }

  /// Removes the files selected by collection, name and generation, unless another user owns them.
  static func remove(
    in folder: StoreFolder, where isMeant: (_ collection: CollectionName, _ file: String, _ generation: Int) -> Bool
  ) throws(StoreError) {
    let fileSystem = folder.fileSystem
    try forEachFile(in: folder) { collection, name, directory, generation throws(FileSystemError) in
      guard isMeant(collection, name, generation),
        try fileSystem.status(of: name, in: directory).owner == fileSystem.userID
      else { return }
      try fileSystem.unlink(name, in: directory)
    }
  }

  /// Calls `body` for every segment or digest file in the folder, whether or not anything names it.
  static func forEachFile(
    in folder: StoreFolder,
    _ body: (_ collection: CollectionName, _ name: String, _ directory: Descriptor, _ generation: Int)
      throws(FileSystemError) -> Void
  ) throws(StoreError) {
    guard let parent = folder.root else { return }
    let fileSystem = folder.fileSystem
    do throws(FileSystemError) {
      let opened = try FileSystemError.ignoring(
        .notFound, fileSystem.openDirectory(StoreFolder.Name.segments, in: parent))
      guard let root = opened else { return }
      defer { fileSystem.close(root) }
      for name in try fileSystem.names(in: root).sorted() where CollectionName(name).isFileName {
        guard let directory = try? fileSystem.openDirectory(name, in: root) else { continue }
        defer { fileSystem.close(directory) }
        for file in try fileSystem.names(in: directory).sorted() {
          if let parsed = SegmentFileName(file) { try body(CollectionName(name), file, directory, parsed.generation) }
        }
      }
    } catch { throw StoreError(writing: error) }
  }
}

extension Snapshot {
  /// The new segment of a month with its changes merged; nil when there are no records.
  func merged(_ key: SegmentKey) throws(StoreError) -> (bytes: [UInt8], entry: SegmentEntry)? {
    let old = base.segment(key.month, of: key.collection)
    var writer = SegmentWriter(
      key, generation: base.nextGeneration, expectedBytes: (old?.bytes.count ?? 0) + (64 << 10))
    do throws(SegmentWriterError) {
      var index = 0
      let count = old?.count ?? 0
      for run in changes(of: key.month, in: key.collection)?.runs ?? [] {
        for record in run {
          if let old {
            // Records before the change are copied unchanged.
            let end = old.lowerBound(of: record.position)
            try writer.append(index..<max(index, end), of: old)
            index = max(index, end)
            if index < count, old.position(at: index) == record.position { index += 1 }
          }
          if !record.isHole { try writer.append(record) }
        }
      }
      if let old { try writer.append(index..<count, of: old) }
    } catch {
      throw StoreError(
        .storeUnavailable, "A record of \(key.collection) cannot be written to a segment (\(error)).",
        path: key.description)
    }
    return writer.count > 0 ? writer.finish() : nil
  }
}
