extension Segment {
  /// The segment that a manifest names, out of its file's bytes, valid or not: each line's checksum is verified, what
  /// can be used is kept, and what is wrong is listed in `damage`. `checksHash` verifies the SHA-256 as well, which takes
  /// several times as long.
  static func load(_ bytes: [UInt8], entry: SegmentEntry, checksHash: Bool = false) -> Segment {
    load(bytes, entry.key, entry, checksHash)
  }

  /// The same for a file that no manifest is there for.
  static func load(_ bytes: [UInt8], key: SegmentKey, checksHash: Bool = false) -> Segment {
    load(bytes, key, nil, checksHash)
  }

  private static func load(_ bytes: [UInt8], _ key: SegmentKey, _ entry: SegmentEntry?, _ checksHash: Bool) -> Segment {
    var scan = SegmentScan(key)
    bytes.withUnsafeBytes { file in
      scan.run(file)
      let counts = [scan.header?.count, scan.footer?.count, entry?.count ?? scan.header?.count]
      if !scan.damage.isEmpty || !scan.isOrdered || !counts.allSatisfy({ $0 == scan.lines.count }) { scan.sort(file) }
      scan.expected = entry?.count ?? scan.header?.count ?? scan.footer?.count
      scan.compare(file, entry, checksHash: checksHash)
    }
    return Segment(scan, bytes)
  }

  /// What a manifest would say of this file; nil when there is no first line to take its generation from, or the hash was
  /// not asked for.
  var entry: SegmentEntry? {
    guard let header, let fileHash else { return nil }
    return SegmentEntry(
      key: key, generation: header.generation, count: header.count, bytes: bytes.count, sha256: fileHash,
      minRevision: header.minRevision, maxRevision: header.maxRevision)
  }
}
