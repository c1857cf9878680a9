import DomainKit
import Habits

/// The parts of a stored log that count, decoded without the rest.
struct LogAmount: JSONDecodable {
  let habitId: EntityID
  /// In thousandths; nil for skips and notes.
  let value: Int64?
  let isSkipped: Bool

  init(_ log: HabitLog) {
    (habitId, value, isSkipped) = (log.habitId, log.value.map(Thousandths.value), log.skipped == true)
  }

  init(from reader: inout JSONReader) throws(JSONError) {
    var object = try reader.beginObject()
    var habitId: EntityID?
    var value: Decimal?
    var isSkipped = false
    while try reader.nextMember(&object) {
      if try reader.member("habitId", 0, &object) {
        habitId = try EntityID(from: &reader)
      } else if try reader.member("value", 1, &object) {
        value = try reader.decimal(minimum: 0, maximum: 1_000_000, scale: 3)
      } else if try reader.member("skipped", 2, &object) {
        isSkipped = try reader.bool()
      } else {
        try reader.skipValue()
      }
    }
    guard let habitId else { throw reader.missing("habitId", object) }
    self.habitId = habitId
    self.value = value.map(Thousandths.value)
    self.isSkipped = isSkipped
  }
}

/// Collects the days of all habits from logs.
struct HistoryBuilder {
  private(set) var slots: [EntityID: Int] = [:]
  /// The days of each habit, ascending.
  private(set) var days: [[HabitRecord]] = []

  mutating func slot(of habit: EntityID) -> Int {
    if let known = slots[habit] { return known }
    slots[habit] = days.count
    days.append([])
    return days.count - 1
  }

  /// Adds a log. Logs of a habit must come in ascending order of day.
  mutating func add(_ slot: Int, _ day: CivilDay, _ value: Int64?, isSkipped: Bool) {
    guard let last = days[slot].indices.last, days[slot][last].day == day else {
      if value != nil || isSkipped { days[slot].append(HabitRecord(day, value, isSkipped: isSkipped)) }
      return
    }
    if let value { days[slot][last].value = Thousandths.sum(days[slot][last].value ?? 0, value) }
    if isSkipped { days[slot][last].isSkipped = true }
  }

  /// Adds logs, given newest first.
  ///
  /// - Throws: The error of an unreadable record, after adding the others.
  mutating func add(_ records: Digest.Records, _ migrations: RecordMigrations) throws(RPCError) {
    var logs: [(CivilDay, LogAmount)] = []
    var problem: RPCError?
    records { record in
      guard let day = record.day else { return true }
      do throws(RPCError) {
        logs.append((day, try migrations.read(LogAmount.self, record, in: HabitLog.collection)))
      } catch { problem = error }
      return true
    }
    for (day, log) in logs.reversed() { add(slot(of: log.habitId), day, log.value, isSkipped: log.isSkipped) }
    if let problem { throw problem }
  }
}

extension HistoryBuilder {
  /// The logs of a month, summed by habit and day.
  static func digest(_ migrations: RecordMigrations) -> Digest {
    Digest("habits", version: "1.\(migrations.schema(of: HabitLog.collection))", of: [HabitLog.collection]) {
      _, records in
      var builder = HistoryBuilder()
      guard (try? builder.add(records, migrations)) != nil else { return nil }
      return builder.packed
    }
  }

  private var packed: [UInt8] {
    var writer = PackedWriter()
    for (habit, slot) in slots.sorted(by: { $0.value < $1.value }) where !days[slot].isEmpty {
      writer.write(Int(truncatingIfNeeded: habit.high))
      writer.write(Int(truncatingIfNeeded: habit.low))
      writer.write(days[slot].count)
      var day = 0
      for record in days[slot] {
        let number = Int(record.day.daysSinceEpoch)
        writer.write((number - day) << 2 | (record.isSkipped ? 2 : 0) | (record.value == nil ? 0 : 1))
        if let value = record.value { writer.write(Int(value)) }
        day = number
      }
    }
    return writer.bytes
  }

  /// Adds a digest. Returns false and adds nothing when it is malformed.
  mutating func add(digest bytes: ArraySlice<UInt8>) -> Bool {
    let before = days.map(\.count)
    let isWhole = bytes.withUnsafeBytes { bytes in
      var reader = PackedReader(bytes)
      while !reader.isAtEnd { guard add(habitFrom: &reader) else { return false } }
      return true
    }
    if !isWhole { for (slot, count) in before.enumerated() { days[slot].removeLast(days[slot].count - count) } }
    return isWhole
  }

  private mutating func add(habitFrom reader: inout PackedReader) -> Bool {
    guard let high = reader.number(), let low = reader.number(), let count = reader.number() else { return false }
    let slot = slot(of: EntityID(high: UInt64(bitPattern: Int64(high)), low: UInt64(bitPattern: Int64(low))))
    var day = 0
    for _ in 0..<max(count, 0) {
      guard let packed = reader.number() else { return false }
      day &+= packed >> 2
      guard let number = Int32(exactly: day) else { return false }
      var value: Int64?
      if packed & 1 == 1 {
        guard let number = reader.number() else { return false }
        value = Int64(number)
      }
      add(slot, CivilDay(daysSinceEpoch: number), value, isSkipped: packed & 2 == 2)
    }
    return true
  }
}
