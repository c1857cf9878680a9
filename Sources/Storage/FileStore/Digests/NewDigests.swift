import Values

/// The digests of segments that are being written, and the files that they become a part of.
struct NewDigests: Sendable {
  /// The most bytes of older segments that one checkpoint reads to make digests that are missing, as those of another version are.
  static let mostRead = 8 << 20

  private let digests: [Digest]
  /// Of each digest, what the segments written come to.
  private var made: [[SegmentKey: [UInt8]]]

  init(_ digests: [Digest]) {
    self.digests = digests
    made = digests.map { _ in [:] }
  }

  /// Makes the digests of a segment of those records.
  mutating func take(_ key: SegmentKey, _ records: @escaping Digest.Records) {
    for (index, digest) in digests.enumerated() where digest.collections.contains(key.collection) {
      made[index][key] = digest.make(key.collection, records)
    }
  }

  /// Takes in what others have made.
  mutating func merge(_ other: NewDigests) {
    for index in made.indices { made[index].merge(other.made[index]) { _, new in new } }
  }

  /// Writes the files of a manifest to come. What the one before has of segments that stay is taken over. Digests are not worth a
  /// failure: without a file they are made out of the records.
  ///
  /// - Parameter limit: So many bytes of segments that stay may be read to make what is missing.
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

  /// The digest of a segment that stays; nil when it would have to be read and that is too much, or is damaged.
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
      var tree = FolderTree(fileSystem, root, makes: true)
      let place = try tree.place(of: path)
      // Not synchronized: that would hold up the commits meanwhile, and what a power cut leaves of it has no valid checksum.
      let file = try fileSystem.createFile(place.name, in: place.folder)
      defer { fileSystem.close(file) }
      if fileSystem.appendAll(bytes, to: file).failure != nil { try fileSystem.unlink(place.name, in: place.folder) }
    } catch { return }
  }
}
