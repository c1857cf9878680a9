/// The digests of segments being written, and the digest files they are written to.
struct NewDigests: Sendable {
  /// The maximum bytes of older segments that a checkpoint reads to make missing digests, such as those of another
  /// version.
  static let maximumRead = 8 << 20

  private let digests: [Digest]
  /// For each digest, the content for the segments written.
  private var made: [[SegmentKey: [UInt8]]]

  init(_ digests: [Digest]) {
    self.digests = digests
    made = digests.map { _ in [:] }
  }

  /// Makes the digests of a segment with those records.
  mutating func add(_ key: SegmentKey, _ records: @escaping Digest.Records) {
    for (index, digest) in digests.enumerated() where digest.collections.contains(key.collection) {
      made[index][key] = digest.make(key.collection, records)
    }
  }

  /// Adds digests made elsewhere.
  mutating func merge(_ other: NewDigests) {
    for index in made.indices { made[index].merge(other.made[index]) { _, new in new } }
  }

  /// Writes the digest files of the next manifest, reusing the digests of unchanged segments. Failures are ignored:
  /// without a file, the records are read instead.
  ///
  /// - Parameter limit: The maximum bytes of unchanged segments to read for missing digests.
  func write(
    for entries: [SegmentEntry], over base: StoreBase, generation: Int, in folder: StoreFolder, reading limit: Int
  ) {
    for (index, digest) in digests.enumerated() {
      let old = DigestFile(digest, of: base)
      var rest = limit
      var sections: [(segment: SHA256Digest, content: ArraySlice<UInt8>)] = []
      // The newest months first.
      for entry in entries.reversed() where digest.collections.contains(entry.key.collection) {
        let content =
          made[index][entry.key].map { $0[...] } ?? old?[entry.sha256] ?? NewDigests.make(digest, entry, base, &rest)
        if let content { sections.append((entry.sha256, content)) }
      }
      guard !sections.isEmpty else { continue }
      let bytes = DigestFile.bytes(digest, generation: generation, sections)
      NewDigests.create(DigestFile.path(digest, generation: generation), bytes, in: folder)
    }
  }

  /// The digest of an unchanged segment; nil when reading it would exceed the limit, or it is damaged.
  private static func make(
    _ digest: Digest, _ entry: SegmentEntry, _ base: StoreBase, _ rest: inout Int
  ) -> ArraySlice<UInt8>? {
    guard entry.bytes <= rest, base.entry(entry.key.month, entry.key.collection) == entry else { return nil }
    rest -= entry.bytes
    let segment = base.loader.segment(entry, of: base)
    guard !base.loader.isDamaged(entry) else { return nil }
    let bytes = digest.make(entry.key.collection) { body in
      for index in (0..<segment.count).reversed() { guard body(segment.record(at: index)) else { return } }
    }
    return bytes.map { $0[...] }
  }

  private static func create(_ path: String, _ bytes: [UInt8], in folder: StoreFolder) {
    let fileSystem = folder.fileSystem
    guard let parent = folder.root, let root = try? fileSystem.openDirectory(StoreFolder.Name.segments, in: parent)
    else { return }
    defer { fileSystem.close(root) }
    do throws(FileSystemError) {
      var tree = FolderTree(fileSystem, root, creates: true)
      let place = try tree.place(of: path)
      // Not synced: that would delay commits, and a file torn by a power cut fails its checksum.
      let file = try fileSystem.createFile(place.name, in: place.folder)
      defer { fileSystem.close(file) }
      if fileSystem.appendAll(bytes, to: file).failure != nil { try fileSystem.unlink(place.name, in: place.folder) }
    } catch { return }
  }
}
