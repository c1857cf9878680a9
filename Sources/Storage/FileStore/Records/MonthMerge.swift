import CivilTime
import Values

/// The current state of a month: its segment, merged with the changes since it was written.
struct MonthMerge {
  let segment: Segment
  let changes: MonthPartition?

  /// Calls `body` for the records in the range, newest first; false when `body` stopped it.
  func forEachNewestFirst(_ range: PositionRange, _ body: (borrowing RecordView) -> Bool) -> Bool {
    var index = range.end.map { segment.lowerBound(of: $0) } ?? segment.count
    let first = range.start.map { segment.lowerBound(of: $0) } ?? 0
    guard let changes else { return rest(index, first, body) }
    var cursor = MonthPartition.Cursor(changes, range)
    while let changed = cursor.current {
      if index > first {
        let position = segment.position(at: index &- 1)
        let place = changed.position
        if place < position {
          index &-= 1
          guard body(RecordView(segment, index)) else { return false }
          continue
        }
        if place == position { index &-= 1 }
      }
      if !changed.isHole {
        guard withUnsafePointer(to: changed, { body(RecordView($0)) }) else { return false }
      }
      cursor.moveOn()
    }
    return rest(index, first, body)
  }

  private func rest(_ end: Int, _ first: Int, _ body: (borrowing RecordView) -> Bool) -> Bool {
    var index = end
    while index > first {
      index &-= 1
      guard body(RecordView(segment, index)) else { return false }
    }
    return true
  }
}

extension MonthPartition {
  /// A cursor in a partition that moves from newer to older.
  struct Cursor {
    private let runs: [[Record]]
    private var run: Int
    private var index: Int
    private let start: Position?
    /// The record or hole at the cursor; nil at the end.
    private(set) var current: Record?

    init(_ partition: MonthPartition, _ range: PositionRange) {
      runs = partition.runs
      (run, index) = range.end.map { partition.lowerBound($0) } ?? (partition.runs.count, 0)
      start = range.start
      moveOn()
    }

    mutating func moveOn() {
      if index == 0 {
        run &-= 1
        guard run >= 0 else { return current = nil }
        index = runs[run].count
      }
      index &-= 1
      let record = runs[run][index]
      if let start, record.position < start { return current = nil }
      current = record
    }
  }

  /// Calls `body` for the records in the range, newest first; false when `body` stopped it.
  func forEachNewestFirst(_ range: PositionRange, _ body: (borrowing RecordView) -> Bool) -> Bool {
    var run = runs.count
    var index = 0
    if let end = range.end { (run, index) = lowerBound(end) }
    let first = range.days?.lowerBound
    while true {
      if index == 0 {
        run &-= 1
        guard run >= 0 else { return true }
        index = runs[run].count
      }
      // By address, which lends the record without copying it and so without reference counting.
      let outcome = runs[run].withUnsafeBufferPointer { records -> Visit in
        guard let base = records.baseAddress else { return .next }
        while index > 0 {
          index &-= 1
          let record = base + index
          if let first { guard let day = record.pointee.day, day >= first else { return .pastTheStart } }
          if record.pointee.isHole { continue }
          guard body(RecordView(record)) else { return .hadEnough }
        }
        return .next
      }
      switch outcome {
      case .next: continue
      case .pastTheStart: return true
      case .hadEnough: return false
      }
    }
  }

  private enum Visit { case next, pastTheStart, hadEnough }
}
