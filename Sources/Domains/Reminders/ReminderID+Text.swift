import CivilTime
import DaybookProtocol

extension ReminderID: CustomStringConvertible {
  /// The id as text, as sent and stored.
  package var description: String {
    let time = minute / 60 * 100 + minute % 60
    let digits = String(time)
    let padded = String(repeating: "0", count: 4 - digits.utf8.count) + digits
    return "\(source.rawValue):\(item):\(day):\(padded)\(leadText)"
  }

  /// The lead as the last part of the text.
  private var leadText: String {
    leadDays == 0 ? "" : leadDays > 0 ? "-\(leadDays)d" : "+\(-leadDays)d"
  }

  /// Parses the canonical text of an id. Throws `invalidID`.
  package init(_ text: String) throws(ReminderError) {
    let failure = ReminderError(.invalidID, "an id is source:item:YYYY-MM-DD:HHMM, optionally followed by -Nd or +Nd")
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 4, let day = CivilDay(String(parts[2]) ?? ""), parts[3].count >= 4,
      let time = Int(String(parts[3].prefix(4)) ?? ""), (0...2359).contains(time), time % 100 < 60
    else { throw failure }
    var lead = 0
    if parts[3].count > 4 {
      let rest = parts[3].dropFirst(4)
      guard rest.last == UInt8(ascii: "d"), let number = Int(String(rest.dropLast()) ?? ""),
        ReminderID.allowedLead.contains(number)
      else { throw failure }
      lead = -number
    }
    do {
      try self.init(
        source: ReminderSource(rawValue: String(parts[0]) ?? ""), item: String(parts[1]) ?? "", day: day,
        minute: time / 100 * 60 + time % 100, leadDays: lead)
    } catch {
      throw failure
    }
    // Other spellings, such as -03d, would give one id two texts.
    guard description.utf8.elementsEqual(text.utf8) else { throw failure }
  }
}

extension ReminderID: Comparable {
  /// The order of the texts, mostly without building them.
  package static func < (left: ReminderID, right: ReminderID) -> Bool {
    if left.source != right.source { return precedes(left.source.rawValue, right.source.rawValue) }
    if left.item != right.item { return precedes(left.item, right.item) }
    if left.day != right.day { return left.day < right.day }
    if left.minute != right.minute { return left.minute < right.minute }
    return left.leadText < right.leadText
  }

  /// The order of two different names followed by a colon, which sorts after some characters and before others.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count ? left < right : left + ":" < right + ":"
  }
}
