/// A period in which a zone keeps one UTC offset.
struct OffsetSpan: Hashable, Sendable {
  /// The first second, since the epoch; `Int64.min` when unbounded.
  let start: Int64
  /// The exclusive end; `Int64.max` when unbounded. Adjacent spans may have equal offsets.
  let end: Int64
  /// Seconds east of UTC, −89,999…93,599.
  let offset: Int32

  /// The offsets a zone may have, in seconds east of UTC (RFC 9636 §3.2).
  static let allowedOffsets: ClosedRange<Int32> = -89_999...93_599
}
