import DomainKit
import Habits

/// An edit of a habit's logs on one day, and the operations that store it.
struct DayEdit {
  let habit: Habit
  let day: CivilDay
  /// Oldest first.
  private(set) var logs: [HabitLog]
  private let before: [EntityID: (log: HabitLog, record: Record)]
  /// The time of day that the request gives to what it logs.
  var at: WallTime?
  private let snapshot: Snapshot

  /// What a day has one log of, unless the user adds others. Its id is derived, so that two devices write the same log.
  enum OwnLog: String {
    case value
    case skip
    case note

    /// Whether a log may say this besides what it says.
    func fits(_ log: HabitLog) -> Bool {
      switch self {
      case .value: log.skipped != true
      case .skip: log.value == nil
      case .note: log.value == nil && log.skipped != true
      }
    }
  }

  init(_ habit: Habit, _ day: CivilDay, _ context: Context) throws(RPCError) {
    self.habit = habit
    self.day = day
    var before: [EntityID: (HabitLog, Record)] = [:]
    var logs: [HabitLog] = []
    snapshot = try context.snapshot()
    for record in snapshot.records(in: HabitLog.collection, days: day...day).reversed() {
      // Most logs of a day belong to other habits, and need not be decoded.
      guard
        let amount = try? context.folder.migrations.read(LogAmount.self, record, in: HabitLog.collection),
        amount.habitId == habit.id, let log = try? context.decode(HabitLog.self, record)
      else { continue }
      logs.append(log)
      before[log.id] = (log, record)
    }
    self.logs = logs
    self.before = before
  }

  /// The sum of the logs in thousandths; nil without a value.
  var value: Int64? {
    let values = logs.compactMap { $0.value.map(Thousandths.value) }
    return values.isEmpty ? nil : values.reduce(0, Thousandths.sum)
  }

  var isSkipped: Bool { logs.contains { $0.skipped == true } }

  /// The day as the rules see it; nil when nothing is logged.
  var record: HabitRecord? {
    value == nil && !isSkipped ? nil : HabitRecord(day, value, isSkipped: isSkipped)
  }

  /// Replaces the value of the day, and removes its skips.
  mutating func set(_ value: Int64?, _ context: Context) {
    let target = value.map(Thousandths.decimal)
    let isSame = target.map { logs.compactMap(\.value) == [$0] } ?? false
    for index in logs.indices {
      if !isSame { logs[index].value = nil }
      logs[index].skipped = nil
    }
    if let target, !isSame { logs[own(.value, context)].value = target }
    dropEmpty()
  }

  /// Adds what the day lacks of a target.
  mutating func fill(_ missing: Int64, _ context: Context) {
    let index = own(.value, context)
    logs[index].value = Thousandths.decimal(Thousandths.sum(logs[index].value.map(Thousandths.value) ?? 0, missing))
  }

  /// Adds to the value of the day; a negative step reduces the latest logs first.
  mutating func add(_ step: Int64, _ context: Context) {
    guard step < 0 else {
      guard step > 0 else { return }
      var log = new(context.newID(), context)
      log.value = Thousandths.decimal(step)
      logs.append(log)
      return
    }
    var rest = -step
    let first = logs.firstIndex { $0.value != nil }
    for index in logs.indices.reversed() where rest > 0 {
      guard let value = logs[index].value.map(Thousandths.value), value > 0 else { continue }
      let taken = min(value, rest)
      rest -= taken
      // The first log stays: counting down to zero is data.
      logs[index].value = value == taken && index != first ? nil : Thousandths.decimal(value - taken)
    }
    dropEmpty()
  }

  /// Skips the day, or removes its skips.
  mutating func skip(_ isSkipped: Bool, _ context: Context) {
    guard isSkipped != self.isSkipped else { return }
    if isSkipped {
      logs[own(.skip, context)].skipped = true
    } else {
      for index in logs.indices { logs[index].skipped = nil }
    }
    dropEmpty()
  }

  /// Replaces the notes that have no value.
  mutating func note(_ note: String?, _ context: Context) {
    let plain = logs.indices.filter { logs[$0].value == nil && logs[$0].skipped != true }
    if let note, let first = plain.first {
      logs[first].note = note
      for index in plain.dropFirst() { logs[index].note = nil }
    } else {
      for index in plain { logs[index].note = nil }
      if let note { logs[own(.note, context)].note = note }
    }
    dropEmpty()
  }

  mutating func remove(_ id: EntityID) { logs.removeAll { $0.id == id } }

  /// Replaces the log with the same id.
  mutating func replace(_ log: HabitLog) {
    if let index = logs.firstIndex(where: { $0.id == log.id }) { logs[index] = log }
  }

  mutating func insert(_ log: HabitLog) { logs.append(log) }

  /// The index of the day's own log of a kind, which is appended if there is none.
  private mutating func own(_ kind: OwnLog, _ context: Context) -> Int {
    var number = 0
    while true {
      let id = DerivedID.habitLog(habit.id, day, kind, number)
      if let index = logs.firstIndex(where: { $0.id == id }) {
        if kind.fits(logs[index]) {
          logs[index].at = at ?? logs[index].at
          return index
        }
      } else if before[id] != nil || snapshot.record(id, in: HabitLog.collection) == nil {
        var log = before[id]?.log ?? new(id, context)
        (log.value, log.skipped, log.note, log.at) = (nil, nil, nil, at)
        logs.append(log)
        return logs.count - 1
      }
      // The user has made something else of it, or moved it to another day.
      number += 1
    }
  }

  private func new(_ id: EntityID, _ context: Context) -> HabitLog {
    HabitLog(
      id: id, day: day, zone: context.zoneName, habitId: habit.id, at: at, createdAt: context.now,
      updatedAt: context.now)
  }

  /// Removes empty logs.
  private mutating func dropEmpty() {
    logs.removeAll { $0.value == nil && $0.skipped != true && $0.note == nil }
  }

  /// The operations that store the edit.
  func operations(_ context: Context) throws(RPCError) -> [Operation] {
    var operations: [Operation] = []
    for log in logs {
      guard let old = before[log.id] else {
        operations.append(try context.put(new: log))
        continue
      }
      guard log != old.log else { continue }
      var log = log
      operations.append(try context.put(&log, keeping: old.record, readAs: old.log))
    }
    let left = Set(logs.map(\.id))
    for id in before.keys.sorted() where !left.contains(id) { operations.append(.delete(HabitLog.collection, id: id)) }
    return operations
  }
}
