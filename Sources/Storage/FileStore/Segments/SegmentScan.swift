import CivilTime
import JSON
import Values

/// The range of a record's line in its file, without the newline.
struct SegmentLine: Sendable {
  let start: UInt32
  let end: UInt32
}

/// Scans the bytes of one segment line by line, valid or not, and finds what is usable.
struct SegmentScan {
  /// The maximum file size, set by the width of offsets.
  static let longestFile = Int(UInt32.max)

  let key: SegmentKey
  let layout: RecordLayout
  /// The days of the month; nil for undated records.
  private let days: ClosedRange<CivilDay>?

  /// The records found, in file order until `sort` is called.
  var lines: [SegmentLine] = []
  /// The parsed lines that are not exactly as this code writes them, by their starts.
  var odd: [UInt32: RecordLine] = [:]
  var damage: [SegmentDamage] = []
  var header: SegmentHeader?
  var footer: SegmentFooter?
  /// The starts of the first and the last line.
  var headerStart = 0
  var footerStart = 0
  /// The expected number of records, by the manifest or the file.
  var expected: Int?
  var fileHash: SHA256Digest?
  /// The revisions of the records found; 0 when there are none.
  var minRevision = 0
  var maxRevision = 0
  /// Whether the records were in ascending order.
  var isOrdered = true
  private var last: Position?

  init(_ key: SegmentKey) {
    self.key = key
    let hasDay = key.month != .all
    layout = RecordLayout(hasDay: hasDay)
    days = hasDay ? key.month.days : nil
  }

  mutating func run(_ file: UnsafeRawBufferPointer) {
    guard let base = file.baseAddress, file.count <= SegmentScan.longestFile else {
      if !file.isEmpty { note(.tooLong, 0..<file.count, "the file is too long") }
      return
    }
    lines.reserveCapacity(file.count / layout.shortest)
    var start = 0
    while start < file.count {
      let end = LineScan.newline(base, from: start, to: file.count)
      if LineSuffix.isValid(base + start, count: end &- start) {
        readLine(base, start, end, next: min(end &+ 1, file.count))
        if end == file.count { note(.brokenNewline, end..<end, "the last line has no newline") }
      } else {
        salvage(file, start, end)
      }
      start = end &+ 1
    }
  }

  /// Handles a line with a valid checksum; what follows it begins at `next`.
  mutating func readLine(_ base: UnsafeRawPointer, _ start: Int, _ end: Int, next: Int) {
    let line = base + start
    if let record = layout.read(line, count: end &- start) {
      add(record, start, end, next)
      return
    }
    let text = UnsafeRawBufferPointer(start: line, count: end &- start)
    do throws(JSONError) {
      if text.hasText(SegmentHeader.opening) {
        try readHeader(text, start..<next)
      } else if text.hasText(SegmentFooter.opening) {
        try readFooter(text, start..<next)
      } else {
        let record = try RecordLine(reading: text)
        if add(record, start, end, next) { odd[UInt32(truncatingIfNeeded: start)] = record }
      }
    } catch { note(.unknownLine, start..<next, error.description) }
  }

  /// Adds a record if it belongs to this month; returns whether it does.
  @inline(__always) @discardableResult private mutating func add(
    _ record: RecordLine, _ start: Int, _ end: Int, _ next: Int
  ) -> Bool {
    guard isHere(record.day) else {
      note(.outsideMonth, start..<next, "the record's day is not in \(key.monthText)")
      return false
    }
    let position = record.position
    if let last, position <= last { isOrdered = false }
    last = position
    minRevision = lines.isEmpty ? record.revision : min(minRevision, record.revision)
    maxRevision = max(maxRevision, record.revision)
    lines.append(SegmentLine(start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end)))
    return true
  }

  @inline(__always) private func isHere(_ day: CivilDay?) -> Bool {
    guard let days else { return day == nil }
    guard let day else { return false }
    return days.contains(day)
  }

  private mutating func readHeader(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONError) {
    let found = try SegmentHeader(reading: text)
    if let header {
      note(header == found ? .duplicate : .unknownLine, range, "a second first line")
      return
    }
    header = found
    headerStart = range.lowerBound
  }

  private mutating func readFooter(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) throws(JSONError) {
    let found = try SegmentFooter(reading: text)
    if let footer {
      note(footer == found ? .duplicate : .unknownLine, range, "a second last line")
      return
    }
    footer = found
    footerStart = range.lowerBound
  }

  /// Notes a defect; adjacent unused ranges of one kind are merged.
  mutating func note(_ kind: SegmentDamage.Kind, _ range: Range<Int>, _ reason: String) {
    if kind.isUnused, let last = damage.last, last.kind == kind, last.range.upperBound == range.lowerBound {
      damage[damage.count - 1].range = last.range.lowerBound..<range.upperBound
      return
    }
    damage.append(SegmentDamage(kind: kind, range: range, reason: reason))
  }
}
