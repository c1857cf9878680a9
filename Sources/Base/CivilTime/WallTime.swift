/// A time of day as shown on a clock, without day or zone: 00:00 to 23:59.
package struct WallTime: Hashable, Sendable, Comparable {
  /// Minutes since 00:00 on the clock face, 0…1439; not elapsed time where clocks change.
  package let minutesOfDay: Int

  /// 00:00.
  package static let midnight = WallTime()

  private init() { minutesOfDay = 0 }

  /// The hour, 0…23.
  package var hour: Int { minutesOfDay / 60 }

  /// The minute of the hour, 0…59.
  package var minute: Int { minutesOfDay % 60 }

  /// The time `minutesOfDay` after 00:00; nil outside 0…1439.
  package init?(minutesOfDay: Int) {
    guard (0..<1440).contains(minutesOfDay) else { return nil }
    self.minutesOfDay = minutesOfDay
  }

  /// The time at an hour (0…23) and minute (0…59); nil outside.
  package init?(hour: Int, minute: Int) {
    guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
    minutesOfDay = hour * 60 + minute
  }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.minutesOfDay < right.minutesOfDay }
}
