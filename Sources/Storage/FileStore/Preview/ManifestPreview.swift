import JSON
import Values

/// The text of a manifest with a valid checksum, in which one collection's segments are found without parsing all.
struct ManifestPreview {
  private let text: [UInt8]

  init(_ text: [UInt8]) { self.text = text }

  /// Looks up a record in the undated segment of its collection.
  func lookup(_ id: EntityID, in collection: CollectionName, _ loader: SegmentLoader) -> StorePreview.Lookup {
    guard collection.isFileName, let found = entries(of: collection) else { return .unknown }
    guard let entry = found.dayless else { return found.hasMonths ? .unknown : .absent }
    guard let (bytes, failure) = try? loader.contents(entry.key.folderName, entry.fileName), failure == nil,
      bytes.count == entry.bytes
    else { return .unknown }
    if let record = ManifestPreview.record(id, in: bytes) { return .record(record) }
    // Only an intact segment proves that it is absent.
    let segment = Segment.load(bytes, entry: entry)
    return segment.isIntact && segment.index(ofID: id) == nil && !found.hasMonths ? .absent : .unknown
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

  // MARK: the manifest

  /// The beginning of the list of segments, with each entry on its own line, and the empty list.
  private static let lists = ["\n\"segments\":[\n{\"collection\":\"", "\n\"segments\":[]"].map { Array($0.utf8) }

  /// A collection's undated segment, and whether it has others; nil when the manifest is not exactly as this code
  /// writes it.
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
        // The rest of the line after the entry belongs to the list.
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
