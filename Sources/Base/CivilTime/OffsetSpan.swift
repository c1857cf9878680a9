/// A stretch of time in which a zone keeps one offset from UTC.
struct OffsetSpan: Hashable, Sendable {
  /// Its first second since the epoch; `Int64.min` when it has no beginning.
  let start: Int64
  /// The first second after it; `Int64.max` when it has no end. Neighbouring spans may have equal offsets.
  let end: Int64
  /// Seconds east of UTC, −89,999…93,599.
  let offset: Int32

  /// The offsets a zone may have, in seconds east of UTC (RFC 9636 §3.2).
  static let allowedOffsets: ClosedRange<Int32> = -89_999...93_599
}
