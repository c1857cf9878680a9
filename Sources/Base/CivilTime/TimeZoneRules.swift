/// The UTC offsets of a time zone at every instant: a table of transitions, then a yearly rule.
///
/// A pure value, parsed from given bytes or text; never reads a file. Equal values have equal names and tables.
package struct TimeZoneRules: Sendable, Equatable {
  /// An IANA name, or a POSIX TZ string when there is no name.
  package let name: String
  /// The transitions, if any.
  let table: TimeZoneFile?
  /// The rules after the last transition, or at all times without a table.
  private let fixed: PosixRules

  /// Coordinated universal time; needs no database.
  package static let utc = TimeZoneRules(name: "UTC", fixed: .utc)

  /// The rules in a TZif file. Throws `malformedFile` or `malformedRule` (its footer) with the byte offset.
  ///
  /// Without a footer, the last offset holds forever.
  package init(name: TimeZoneName, tzif bytes: [UInt8]) throws(TimeZoneError) {
    do {
      self.init(label: name.text, file: try TimeZoneFile(bytes))
    } catch {
      throw error.about(name.text)
    }
  }

  /// Parses a POSIX TZ string, such as `EST5EDT,M3.2.0,M11.1.0`, which becomes the name.
  /// Throws `malformedRule`.
  package init(posix text: String) throws(TimeZoneError) {
    do {
      self.init(name: text, fixed: try PosixRules(utf8: Array(text.utf8)))
    } catch {
      throw error.about(text)
    }
  }

  /// Rules without transitions.
  init(name: String, fixed: PosixRules) {
    self.name = name
    self.table = nil
    self.fixed = fixed
  }

  /// The rules of a file under any label.
  init(label: String, file: TimeZoneFile) {
    name = label
    let always = PosixRules(standardOffset: file.offsets.last ?? file.initialOffset, daylight: nil)
    fixed = file.footer ?? always
    table = file.times.isEmpty ? nil : file
  }

  /// Seconds east of UTC at an instant, −89,999…93,599. Logarithmic in the number of transitions.
  package func offset(at instant: Instant) -> Int {
    Int(span(at: instant.wholeSeconds).offset)
  }

  /// Whether both zones have the same offsets at all times, as aliases of one zone do.
  package func showsSameClock(as other: TimeZoneRules) -> Bool {
    table == other.table && fixed == other.fixed
  }

  /// The span around `second` (since the epoch).
  func span(at second: Int64) -> OffsetSpan {
    guard let table, let last = table.times.last else { return fixed.span(at: second) }
    guard second < last else {
      let span = fixed.span(at: second)
      return OffsetSpan(start: max(span.start, last), end: span.end, offset: span.offset)
    }
    var low = 0
    var high = table.times.count - 1
    while low < high {
      let middle = (low + high) / 2
      if table.times[middle] <= second { low = middle + 1 } else { high = middle }
    }
    // `low` is the first transition after `second`.
    return OffsetSpan(
      start: low == 0 ? .min : table.times[low - 1], end: table.times[low],
      offset: low == 0 ? table.initialOffset : table.offsets[low - 1])
  }
}

extension TimeZoneRules: Hashable {
  /// Hashes only the name: tables differ where names do.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

extension Instant {
  /// Seconds since the epoch, rounded down.
  var wholeSeconds: Int64 {
    let seconds = milliseconds / 1000
    return milliseconds % 1000 < 0 ? seconds - 1 : seconds
  }
}
