import JSON

/// A segment's first line.
struct SegmentHeader: Equatable, Sendable {
  static let currentFormat = 1
  static let opening: StaticString = "{\"segment\""

  var format = currentFormat
  var key = SegmentKey()
  var generation = 0
  var count = 0
  var minRevision = 0
  var maxRevision = 0
}

extension SegmentHeader: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("segment", &format, in: 1...(.max))
    try key.code(&members)
    try members.number("generation", &generation, in: 1...(.max))
    try members.value("count", &count)
    try members.value("minRevision", &minRevision)
    try members.value("maxRevision", &maxRevision)
  }
}

/// A segment's last line, without which the file is unfinished.
struct SegmentFooter: Equatable, Sendable {
  static let opening: StaticString = "{\"end\""

  var format = 1
  /// The number of records before it.
  var count = 0
  /// The length and hash of everything before it.
  var bytes = 0
  var sha256 = SHA256Digest.zero
}

extension SegmentFooter: Document {
  mutating func code(_ members: inout some MemberCoder & ~Copyable) throws(JSONError) {
    try members.number("end", &format, in: 1...(.max))
    try members.value("count", &count)
    try members.value("bytes", &bytes)
    try members.value("sha256", &sha256)
  }
}
