import CivilTime
import DaybookProtocol

extension ReminderPlan {
  /// A number of all that clients are told, the same in every process and version that tells the same: FNV-1a in 64 bits
  /// (Fowler, Noll, Vo 1991) over the entries and the total, not over when the plan was made.
  package var fingerprint: UInt64 {
    var hash = StableHash()
    hash.add(Int64(total))
    for entry in entries {
      hash.add("\(entry.id)")
      hash.add(entry.fireAt.milliseconds)
      hash.add(Int64(entry.localDay.daysSinceEpoch))
      hash.add(Int64(entry.localMinute))
      hash.add(entry.zone)
      hash.add(entry.title)
      hash.add(entry.body)
      hash.add(Int64(entry.actions.count))
      for action in entry.actions { hash.add(action.rawValue) }
      hash.add(entry.isSnoozed ? 1 : 0)
    }
    return hash.value
  }
}

/// FNV-1a: unlike the library's hashes the same every time.
private struct StableHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  private mutating func mix(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }

  mutating func add(_ number: Int64) {
    var rest = UInt64(bitPattern: number)
    for _ in 0..<8 {
      mix(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// The bytes, and 0xFF behind them, which no text has, so that neighbours do not run together.
  mutating func add(_ text: String) {
    for byte in text.utf8 { mix(byte) }
    mix(0xFF)
  }
}
