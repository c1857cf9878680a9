import CivilTime
import DaybookProtocol

/// The identity of one reminder: what it is about, and when by its own rule. Moving it changes no part of it.
///
/// As text it is `<source>:<item>:<occurrence day>:<HHMM>`, with `-3d` or `+3d` behind it when it comes so many days before or
/// after its occurrence, so that two leads of one charge differ.
package struct ReminderID: Hashable, Sendable {
  /// The domain.
  package let source: ReminderSource
  /// What within the domain, such as the id of a record.
  package let item: String
  /// The day of the occurrence it is about: of the charge, of the habit.
  package let day: CivilDay
  /// When on the day of firing, in minutes of the wall clock, 0…1,439.
  package let minute: Int
  /// How many days before the occurrence it comes, −366…366; negative when it comes after it.
  package let leadDays: Int

  /// The longest item and the longest source, in bytes.
  package static let maximumNameLength = 120
  /// The days a reminder may come before its occurrence.
  package static let allowedLead = -366...366

  /// Throws `invalidName` unless source and item are 1…120 ASCII letters, digits, `-`, `_` and `.`, and `outOfRange` for a
  /// day, minute or lead that is not allowed.
  package init(
    source: ReminderSource, item: String, day: CivilDay, minute: Int, leadDays: Int = 0
  ) throws(ReminderError) {
    for name in [source.rawValue, item] {
      guard ReminderID.isName(name) else {
        throw ReminderError(.invalidName, "a source or item is 1 to 120 letters, digits, '-', '_' and '.'")
      }
    }
    guard TimeZoneRules.minutesOfDay.contains(minute) else {
      throw ReminderError(.outOfRange, "a time of day is 0 to 1439 minutes")
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

  /// The day on whose wall clock it fires.
  package var fireDay: CivilDay { day.advanced(by: -leadDays) }

  /// Hashes all but the source and the lead: what differs in these alone is rare.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(item)
    hasher.combine(Int(day.daysSinceEpoch) &* 1440 &+ minute)
  }

  /// Whether a text can be a source or an item: no colon above all, which parts them.
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
