import DaybookProtocol

/// The identity of a reminder: its subject and its own time. Moving the reminder does not change it.
///
/// Its text is `<source>:<item>:<occurrence day>:<HHMM>`, followed by `-3d` or `+3d` when it comes days before or after
/// the occurrence, so that two leads of one charge differ.
package struct ReminderID: Hashable, Sendable {
  package let source: ReminderSource
  /// The subject within the domain, such as a record id.
  package let item: String
  /// The day of the occurrence, such as of the charge.
  package let day: CivilDay
  /// The minute of the fire day, by wall clock, 0…1,439. One before the start of the user's day belongs to the day
  /// before by the calendar, like everything at that hour.
  package let minute: Int
  /// How many days before the occurrence it comes, −366…366; negative for days after.
  package let leadDays: Int

  /// The maximum length of an item or a source, in bytes.
  package static let maximumNameLength = 120
  /// The allowed days before the occurrence.
  package static let allowedLead = -366...366

  /// Throws `invalidName` unless source and item are 1…120 ASCII letters, digits, `-`, `_` and `.`, and `outOfRange`
  /// for a day, minute or lead that is not allowed.
  package init(
    source: ReminderSource, item: String, day: CivilDay, minute: Int, leadDays: Int = 0
  ) throws(ReminderError) {
    for name in [source.rawValue, item] {
      guard ReminderID.isName(name) else {
        throw ReminderError(.invalidName, "a source or item is 1 to 120 letters, digits, '-', '_' and '.'")
      }
    }
    guard TimeZoneRules.minutesOfDay.contains(minute) else {
      throw ReminderError(.outOfRange, "a time of day is minute 0 to 1439")
    }
    guard ReminderID.allowedLead.contains(leadDays) else {
      throw ReminderError(.outOfRange, "a reminder comes at most 366 days before or after its occurrence")
    }
    guard CivilDay.allowed.contains(day) else {
      throw ReminderError(.outOfRange, "a day is from 1900-01-01 to 2200-12-31")
    }
    self.source = source
    self.item = item
    self.day = day
    self.minute = minute
    self.leadDays = leadDays
  }

  /// The user's day on which it fires.
  package var fireDay: CivilDay { day.advanced(by: -leadDays) }

  /// Skips source and lead: ids rarely differ in these alone.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(item)
    hasher.combine(Int(day.daysSinceEpoch) &* 1440 &+ minute)
  }

  /// Whether a text can be a source or an item; colons separate the parts of an id.
  private static func isName(_ text: String) -> Bool {
    guard (1...maximumNameLength).contains(text.utf8.count) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}

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
