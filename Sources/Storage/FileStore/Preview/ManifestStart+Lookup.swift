import JSON
import Values

extension ManifestStart {
  /// Looks up a record in the undated segment of its collection.
  func lookup(_ id: EntityID, in collection: CollectionName, _ loader: SegmentLoader) -> StorePreview.Lookup {
    guard collection.isFileName else { return .unknown }
    let hasMonths = dated.contains(collection.rawValue)
    guard let entry = undated.first(where: { $0.key.collection == collection }) else {
      return hasMonths ? .unknown : .absent
    }
    guard let (bytes, failure) = try? loader.contents(entry.key.folderName, entry.fileName), failure == nil,
      bytes.count == entry.bytes
    else { return .unknown }
    if let record = ManifestStart.record(id, in: bytes) { return .record(record) }
    // Only an intact segment proves that it is absent.
    let segment = Segment.load(bytes, entry: entry)
    return segment.isIntact && segment.index(ofID: id) == nil && !hasMonths ? .absent : .unknown
  }

  /// The record of a valid line with that id in an undated segment.
  private static func record(_ id: EntityID, in bytes: [UInt8]) -> Record? {
    let layout = RecordLayout(hasDay: false)
    return bytes.withUnsafeBytes { file in
      guard let base = file.baseAddress else { return nil }
      var start = 0
      while start < file.count {
        let end = LineScan.newline(base, from: start, to: file.count)
        if end &- start >= layout.shortest, FixedText.id(base + start + RecordLayout.id) == id,
          LineSuffix.isValid(base + start, count: end &- start),
          let line = layout.read(base + start, count: end &- start)
        {
          return line.record(in: bytes, at: start)
        }
        start = end &+ 1
      }
      return nil
    }
  }
}
