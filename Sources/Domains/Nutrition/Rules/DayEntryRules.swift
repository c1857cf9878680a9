import CivilTime
import DaybookProtocol
import Values

/// What is noted of days as a whole.
package enum DayEntryRules {
  /// The identity of a day's entry. It follows from the day, so that two devices that note something of one day, neither
  /// knowing of the other, have one entry in the end. A UUID of version 8.
  package static func id(of day: CivilDay) -> EntityID {
    EntityID(
      high: 0x6461_7962_6F6F_8000, low: 0x8000_0000_0000_0000 | UInt64(UInt32(bitPattern: day.daysSinceEpoch)))
  }

  /// Whether an entry says anything.
  package static func isBlank(_ entry: DayEntry) -> Bool { !entry.fasted && entry.note == nil }
}
