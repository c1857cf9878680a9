import CivilTime
import JSON
import Platform

/// Why a record cannot be added to a segment.
enum SegmentWriterError: Error, Sendable, Equatable {
  /// It does not come after the previous record.
  case outOfOrder
  case outsideMonth
  /// Its line would not be read back as the same record: the body has several lines, or an instant is out of range.
  case notFaithful
}

/// Builds the bytes of one segment from records in ascending order.
struct SegmentWriter: ~Copyable {
  let key: SegmentKey
  let generation: Int
  private(set) var count = 0
  private var minRevision = 0
  private var maxRevision = 0
  private var last: Position?
  private let days: ClosedRange<CivilDay>?
  /// The lines added so far, and the line being built.
  private var body: JSONWriter
  private var line = JSONWriter(capacity: 512)

  /// `expectedBytes` is the expected size of the records, if known. A generation is 1 or more.
  init(_ key: SegmentKey, generation: Int, expectedBytes: Int = 4096) {
    self.key = key
    self.generation = max(1, generation)
    days = key.month.days
    body = JSONWriter(capacity: min(max(0, expectedBytes), 1 << 30))
  }

  /// Adds a record; one that causes an error is not added.
  mutating func append(_ record: Record) throws(SegmentWriterError) {
    Threads.yieldIfDue()
    try check(record.position)
    guard record.isStorable else { throw .notFaithful }
    line.truncate(to: 0)
    record.encodeLine(to: &line)
    body.append(line.buffer)
    note(record.position, record.revision)
  }

  /// Adds a record by its line, with or without its newline, from another segment of this month.
  mutating func append(rawLine: UnsafeRawBufferPointer, position: Position, revision: Int) throws(SegmentWriterError) {
    try check(position)
    body.append(rawLine)
    if rawLine.last != UInt8(ascii: "\n") { body.append(UInt8(ascii: "\n")) }
    note(position, revision)
  }

  /// Adds unchanged records of an earlier segment of this month by copying their lines.
  mutating func append(_ range: Range<Int>, of segment: Segment) throws(SegmentWriterError) {
    guard let first = range.first, let end = range.last else { return }
    guard segment.key == key else { throw .outsideMonth }
    let position = segment.position(at: first)
    try check(position)
    if let lines = segment.rawLines(range) {
      lines.withUnsafeBytes { body.append($0) }
    } else {
      for index in range {
        segment.rawLine(at: index).withUnsafeBytes { body.append($0) }
        body.append(UInt8(ascii: "\n"))
      }
    }
    for index in range { note(position, segment.revision(at: index)) }
    last = segment.position(at: end)
  }

  /// The file's bytes and its manifest entry.
  consuming func finish() -> (bytes: [UInt8], entry: SegmentEntry) {
    let header = SegmentHeader(
      key: key, generation: generation, count: count, minRevision: minRevision, maxRevision: maxRevision)
    var bytes = header.text()
    bytes.reserveCapacity(bytes.count + body.count + 192)
    bytes.append(contentsOf: body.buffer)
    var hash = SHA256()
    hash.update(bytes)
    let footer = SegmentFooter(count: count, bytes: bytes.count, sha256: hash.finish()).text()
    bytes += footer
    hash.update(footer)
    let entry = SegmentEntry(
      key: key, generation: generation, count: count, bytes: bytes.count, sha256: hash.finish(),
      minRevision: minRevision, maxRevision: maxRevision)
    return (bytes, entry)
  }

  private func check(_ position: Position) throws(SegmentWriterError) {
    if let day = position.day {
      guard let days, days.contains(day) else { throw .outsideMonth }
    } else if days != nil {
      throw .outsideMonth
    }
    if let last, position <= last { throw .outOfOrder }
  }

  private mutating func note(_ position: Position, _ revision: Int) {
    minRevision = count == 0 ? revision : min(minRevision, revision)
    maxRevision = max(maxRevision, revision)
    count &+= 1
    last = position
  }
}
