import JSON
import Values

/// The text of a manifest whose checksum fits, in which one collection's segments are found without reading those of all.
struct ManifestPreview {
  private let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  /// Looks for a record in the segment of its collection's records without a day.
  func lookup(_ id: EntityID, in collection: CollectionName, _ loader: SegmentLoader) -> StorePreview.Lookup {
    guard collection.isFileName, let found = entries(of: collection) else { return .unknown }
    guard let entry = found.dayless else { return found.hasMonths ? .unknown : .absent }
    guard let (bytes, failure) = try? loader.contents(entry.key.folderName, entry.fileName), failure == nil,
      bytes.count == entry.bytes
    else { return .unknown }
    if let record = ManifestPreview.record(id, in: bytes) { return .record(record) }
    // Only a whole segment proves that it is not there.
    let segment = Segment.load(bytes, entry: entry)
    return segment.isIntact && segment.index(ofID: id) == nil && !found.hasMonths ? .absent : .unknown
  }

  /// The line of a segment of records without a day that has that id and is in order.
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

  // MARK: the manifest

  /// How the list of segments begins, each entry on a line of its own, and the empty list.
  private static let lists = ["\n\"segments\":[\n{\"collection\":\"", "\n\"segments\":[]"].map { Array($0.utf8) }

  /// The segment without days of a collection, and whether it has others; nil when the manifest is not just as this code writes it.
  private func entries(of collection: CollectionName) -> (dayless: SegmentEntry?, hasMonths: Bool)? {
    let wanted = Array("{\"collection\":\"\(collection.rawValue)\",\"month\":\"".utf8)
    let all = wanted + Array("all\",".utf8)
    return text.withUnsafeBytes { file in
      guard ManifestPreview.lists.contains(where: { TextSearch($0).isThere(in: file) }) else { return nil }
      var dayless: SegmentEntry?
      var hasMonths = false
      let isReadable = TextSearch(wanted).forEachLine(of: file) { line in
        guard line.starts(with: all) else {
          hasMonths = true
          return line.starts(with: wanted)
        }
        // What follows the entry on its line is the list's.
        guard var reader = try? DocumentReader(line), let entry: SegmentEntry = try? reader.readFirst(),
          !reader.hasUnknownMembers
        else { return false }
        dayless = entry
        return true
      }
      return isReadable ? (dayless, hasMonths) : nil
    }
  }
}
