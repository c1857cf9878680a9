/// The offsets in a TZif file (RFC 8536, RFC 9636), versions 1 to 4.
///
/// Every length and index is checked before use. Designations and the daylight, standard and universal flags are
/// validated and dropped. Later versions are read as version 4: the format only ever appends.
struct TimeZoneFile: Hashable, Sendable {
  /// Seconds east of UTC before the first transition.
  private(set) var initialOffset: Int32 = 0
  /// Transition times in seconds since the epoch, without leap seconds, strictly ascending.
  private(set) var times: [Int64] = []
  /// The offset after each transition, in seconds east of UTC.
  private(set) var offsets: [Int32] = []
  /// The rules after the last transition; nil for version 1 and for an empty footer.
  private(set) var footer: PosixRules?
  /// The footer's text, empty without one.
  private(set) var footerText = ""

  /// Reads a whole file; throws `malformedFile` with the byte offset, or `malformedRule` for its footer.
  init(_ bytes: [UInt8]) throws(TimeZoneError) {
    var reader = TimeZoneFileReader(bytes: bytes)
    var header = try Header(&reader)
    guard header.version != 0 else {
      try readBlock(header, timeSize: 4, &reader)
      return
    }
    // The 32-bit block of a later version is for old readers and may be a stub.
    try reader.skip(header.blockLength(timeSize: 4))
    header = try Header(&reader)
    guard header.version != 0 else { throw reader.failure("the second header says version 1") }
    try readBlock(header, timeSize: 8, &reader)
    try readFooter(&reader)
  }

  /// The six counts before a block.
  private struct Header {
    let version: UInt8
    let utcFlags, standardFlags, leapSeconds, transitions, types, characters: Int

    init(_ reader: inout TimeZoneFileReader) throws(TimeZoneError) {
      for byte in "TZif".utf8 {
        guard try reader.byte() == byte else { throw reader.failure("not a TZif file") }
      }
      version = try reader.byte()
      guard version == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(version) else {
        throw reader.failure("not a version of TZif")
      }
      try reader.skip(15)
      utcFlags = try reader.count()
      standardFlags = try reader.count()
      leapSeconds = try reader.count()
      transitions = try reader.count()
      types = try reader.count()
      characters = try reader.count()
    }

    /// The length of the block in bytes; at most 2³² counts of 34 bytes, which cannot overflow.
    func blockLength(timeSize: Int) -> Int {
      transitions * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4) + standardFlags + utcFlags
    }
  }

  /// Reads the block after `header`, whose times have `timeSize` bytes.
  private mutating func readBlock(
    _ header: Header, timeSize: Int, _ reader: inout TimeZoneFileReader
  ) throws(TimeZoneError) {
    guard (1...256).contains(header.types), header.characters > 0,
      header.standardFlags == 0 || header.standardFlags == header.types,
      header.utcFlags == 0 || header.utcFlags == header.types
    else { throw reader.failure("the counts of the header contradict each other") }
    guard header.blockLength(timeSize: timeSize) <= reader.remaining else {
      throw reader.failure("the file is cut off")
    }

    times.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions { times.append(try reader.time(size: timeSize)) }
    var indices: [UInt8] = []
    indices.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions {
      indices.append(try reader.byte())
      guard Int(indices[indices.count - 1]) < header.types else { throw reader.failure("no such local time type") }
    }
    let types = try readTypes(header, &reader)
    initialOffset = types[0]
    offsets = indices.map { types[Int($0)] }
    try removeLeapSeconds(header, timeSize: timeSize, &reader)
    for index in times.indices.dropFirst() where times[index - 1] >= times[index] {
      throw reader.failure("the transitions are not in order")
    }
    try reader.flags(header.standardFlags)
    try reader.flags(header.utcFlags)
  }

  /// Reads the local time types, with their designations, and returns their offsets.
  private func readTypes(_ header: Header, _ reader: inout TimeZoneFileReader) throws(TimeZoneError) -> [Int32] {
    var types: [Int32] = []
    var longest = 0
    for _ in 0..<header.types {
      let offset = Int32(truncatingIfNeeded: try reader.time(size: 4))
      guard OffsetSpan.allowedOffsets.contains(offset) else { throw reader.failure("an offset no zone has") }
      try reader.flags(1)
      let designation = Int(try reader.byte())
      guard designation < header.characters else { throw reader.failure("no such designation") }
      longest = max(longest, designation)
      types.append(offset)
    }
    var isEnded = false
    for index in 0..<header.characters where try reader.byte() == 0 && index >= longest { isEnded = true }
    guard isEnded else { throw reader.failure("a designation has no end") }
    return types
  }

  /// Reads the leap seconds and subtracts them from the transitions (the zones under `right/` count them).
  private mutating func removeLeapSeconds(
    _ header: Header, timeSize: Int, _ reader: inout TimeZoneFileReader
  ) throws(TimeZoneError) {
    var leaps: [(time: Int64, correction: Int64)] = []
    for _ in 0..<header.leapSeconds {
      let time = try reader.time(size: timeSize)
      if let last = leaps.last, last.time >= time { throw reader.failure("the leap seconds are not in order") }
      leaps.append((time, try reader.time(size: 4)))
    }
    guard !leaps.isEmpty else { return }
    var next = 0
    for index in times.indices {
      // In a bad file the transitions may be out of order; the result is then wrong, and rejected afterwards.
      while next < leaps.count, leaps[next].time <= times[index] { next += 1 }
      guard next > 0 else { continue }
      let (time, overflow) = times[index].subtractingReportingOverflow(leaps[next - 1].correction)
      guard !overflow else { throw reader.failure("a leap second moves a transition out of time") }
      times[index] = time
    }
  }

  /// Reads the TZ string between two newlines; ignores data of later versions after it.
  private mutating func readFooter(_ reader: inout TimeZoneFileReader) throws(TimeZoneError) {
    guard try reader.byte() == UInt8(ascii: "\n") else { throw reader.failure("the footer is missing") }
    var text: [UInt8] = []
    while true {
      let byte = try reader.byte()
      if byte == UInt8(ascii: "\n") { break }
      text.append(byte)
    }
    guard !text.isEmpty else { return }
    footer = try PosixRules(utf8: text)
    footerText = String(decoding: text, as: UTF8.self)
  }
}
