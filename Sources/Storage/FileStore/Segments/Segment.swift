import CivilTime
import Platform
import Values

/// A segment in memory: its file's bytes and the offsets of its lines. Records are made on demand, and their bodies
/// are slices of the one array.
final class Segment: Sendable {
  let key: SegmentKey
  let count: Int
  /// The lowest and highest revision of its records; 0 when there are none.
  let minRevision: Int
  let maxRevision: Int
  /// What is wrong with the file; empty for an intact file.
  let damage: [SegmentDamage]
  /// The expected number of records, by the manifest or else by the file itself; nil when unknown.
  let expectedCount: Int?
  /// Its valid first line, if any, and the line's start.
  let header: SegmentHeader?
  let headerStart: Int?
  /// The start of its last line; nil when there is no valid one, so that the file was never finished.
  let footerStart: Int?
  let fileHash: SHA256Digest?

  let bytes: [UInt8]
  /// The lines of its records, oldest first.
  private let lines: [SegmentLine]
  private let odd: [UInt32: RecordLine]
  private let layout: RecordLayout
  private let table = Guarded<SegmentIDTable?>(nil)

  init(_ scan: consuming SegmentScan, _ bytes: [UInt8]) {
    key = scan.key
    count = scan.lines.count
    minRevision = scan.minRevision
    maxRevision = scan.maxRevision
    damage = scan.damage
    expectedCount = scan.expected
    header = scan.header
    headerStart = scan.header == nil ? nil : scan.headerStart
    footerStart = scan.footer == nil ? nil : scan.footerStart
    fileHash = scan.fileHash
    lines = scan.lines
    odd = scan.odd
    layout = scan.layout
    self.bytes = bytes
  }

  /// Whether the file is exactly as it was written, as far as was checked.
  var isIntact: Bool { damage.isEmpty }

  /// Whether the file was finished, as far as can be told.
  var isFinished: Bool { footerStart != nil }

  /// Whether records may be missing. Each record has its own checksum, so none is missing when their number is the
  /// expected one.
  var isLossPossible: Bool { expectedCount.map { count < $0 } ?? !isIntact }

  var memory: Int {
    bytes.capacity + lines.capacity * MemoryLayout<SegmentLine>.stride + odd.capacity
      * (MemoryLayout<RecordLine>.stride + 8) + table.withLock { $0?.memory ?? 0 }
  }

  /// The record at `index`, in order of positions.
  func record(at index: Int) -> Record {
    let place = lines[index]
    return read(place).record(in: bytes, at: Int(place.start))
  }

  func position(at index: Int) -> Position {
    let place = lines[index]
    if let line = oddLine(place) { return line.position }
    return bytes.withUnsafeBytes { file in
      file.baseAddress.flatMap { layout.position($0 + Int(place.start), isKnown: true) } ?? RecordLine().position
    }
  }

  func id(at index: Int) -> EntityID {
    let place = lines[index]
    return bytes.withUnsafeBytes { id(place, $0) }
  }

  func revision(at index: Int) -> Int {
    let place = lines[index]
    if let line = oddLine(place) { return line.revision }
    return bytes.withUnsafeBytes { file in
      file.baseAddress.flatMap { layout.revision($0 + Int(place.start), count: Int(place.end &- place.start)) } ?? 0
    }
  }

  /// Lends the body's text and its schema number.
  @inline(__always)
  func withBody<Result>(at index: Int, _ read: (UnsafeRawBufferPointer, Int) -> Result) -> Result {
    let place = lines[index]
    return bytes.withUnsafeBytes { file in
      let line = UnsafeRawBufferPointer(rebasing: file[Int(place.start)..<Int(place.end)])
      if let odd = oddLine(place) { return read(UnsafeRawBufferPointer(rebasing: line[odd.body]), odd.schema) }
      guard let base = line.baseAddress, let rest = layout.rest(base, count: line.count, isKnown: true) else {
        assertionFailure("a line that was read cannot be read again")
        return read(UnsafeRawBufferPointer(start: nil, count: 0), 0)
      }
      return read(UnsafeRawBufferPointer(rebasing: line[rest.body]), rest.schema)
    }
  }

  func rawLine(at index: Int) -> ArraySlice<UInt8> {
    let place = lines[index]
    return bytes[Int(place.start)..<Int(place.end)]
  }

  /// The contiguous lines of some records, with their newlines; nil when the file is not intact.
  func rawLines(_ range: Range<Int>) -> ArraySlice<UInt8>? {
    guard isIntact, let first = range.first, let last = range.last else { return range.isEmpty ? [] : nil }
    return bytes[Int(lines[first].start)...Int(lines[last].end)]
  }

  /// The index of the first record at or after `position`; `count` when there is none.
  func lowerBound(of position: Position) -> Int {
    (0..<count).firstIndex(notBefore: { self.position(at: $0) < position })
  }

  /// The index of the record with that id. The first search in a large segment builds a table of its ids.
  func index(ofID id: EntityID) -> Int? {
    guard count > Segment.fewest else { return firstIndex(ofID: id) }
    return bytes.withUnsafeBytes { file in
      table.withLock { table in
        if table == nil {
          var new = SegmentIDTable(count: count)
          forEachID { id, index in new.insert(id, index) }
          table = new
        }
        return table?.index(of: id) { self.id(lines[$0], file) }
      }
    }
  }

  /// Calls `body` with each id and the record's index, in order of positions.
  func forEachID(_ body: (EntityID, Int) -> Void) {
    bytes.withUnsafeBytes { file in for index in 0..<count { body(id(lines[index], file), index) } }
  }

  /// The number of records up to which a linear search is used.
  private static let fewest = 64

  private func firstIndex(ofID wanted: EntityID) -> Int? {
    bytes.withUnsafeBytes { file in (0..<count).first { id(lines[$0], file) == wanted } }
  }

  @inline(__always) private func id(_ place: SegmentLine, _ file: UnsafeRawBufferPointer) -> EntityID {
    if let line = oddLine(place) { return line.id }
    guard let base = file.baseAddress, let id = FixedText.id(base + Int(place.start) + RecordLayout.id, isKnown: true)
    else {
      return RecordLine().id
    }
    return id
  }

  /// Reads a line that was checked when the segment was loaded.
  @inline(__always) private func read(_ place: SegmentLine) -> RecordLine {
    if let line = oddLine(place) { return line }
    return bytes.withUnsafeBytes { file in
      file.baseAddress.flatMap {
        layout.read($0 + Int(place.start), count: Int(place.end &- place.start), isKnown: true)
      } ?? RecordLine()
    }
  }

  @inline(__always) private func oddLine(_ place: SegmentLine) -> RecordLine? { odd.isEmpty ? nil : odd[place.start] }
}

extension Segment {
  /// Loads the segment named by a manifest from its file's bytes, valid or not: each line's checksum is verified, what
  /// is usable is kept, and what is wrong is listed in `damage`. `checksHash` also verifies the SHA-256, which takes
  /// several times as long.
  static func load(_ bytes: [UInt8], entry: SegmentEntry, checksHash: Bool = false) -> Segment {
    load(bytes, entry.key, entry, checksHash)
  }

  /// Loads a file that no manifest names.
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

  /// The manifest entry of this file; nil without a valid first line, which has the generation, or without the hash.
  var entry: SegmentEntry? {
    guard let header, let fileHash else { return nil }
    return SegmentEntry(
      key: key, generation: header.generation, count: header.count, bytes: bytes.count, sha256: fileHash,
      minRevision: header.minRevision, maxRevision: header.maxRevision)
  }
}
