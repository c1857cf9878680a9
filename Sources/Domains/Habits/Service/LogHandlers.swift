import DomainKit
import Habits

extension HabitsService {
  func habitLogsAdd(_ params: HabitLogsAddParams, _ context: inout Context) throws(RPCError) -> HabitLogsAddResult {
    let isBare = params.value == nil && params.skipped != true && params.note == nil
    let log = HabitLog(
      id: params.id ?? context.newID(), day: params.day ?? context.currentDay, zone: context.zoneName,
      habitId: params.habitId, value: isBare ? Decimal(1) : params.value, skipped: params.skipped == true ? true : nil,
      at: params.at, note: params.note, createdAt: context.now, updatedAt: context.now)
    if try context.snapshot().record(log.id, in: HabitLog.collection) == nil {
      let habit = try loggable(log.habitId, context, pointer: "/habitId").habit
      if let refusal = HabitLogRules.refusal(of: log) { throw RPCError(refusal) }
      try checkDay(log.day, of: habit, params.allowFuture, context, pointer: "/day")
      var edit = try DayEdit(habit, log.day, context)
      edit.insert(log)
      let operations = [try context.put(new: log)] + (try milestones([edit], context))
      return HabitLogsAddResult(log: log, created: true, revision: try context.commit(operations))
    }
    let (stored, isNew, revision) = try context.create(log, isNewID: false) { present in
      present.habitId == params.habitId && present.day == params.day ?? present.day && present.value == log.value
        && present.skipped == log.skipped && present.at == params.at && present.note == params.note
    }
    return HabitLogsAddResult(log: stored, created: isNew, revision: revision)
  }

  func habitLogsUpdate(
    _ params: HabitLogsUpdateParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsUpdateResult {
    let record = try context.record(of: HabitLog.self, params.id)
    let old = try context.decode(HabitLog.self, record)
    let habit = try loggable(old.habitId, context, pointer: "/id").habit
    var new = old
    new.patch(params)
    if new.skipped == false { new.skipped = nil }
    if let refusal = HabitLogRules.refusal(of: new) { throw RPCError(refusal) }
    if new.day != old.day { try checkDay(new.day, of: habit, params.allowFuture, context, pointer: "/day") }
    guard let (log, put) = try context.edit(record, from: old, to: new, basedOn: params.revision) else {
      return HabitLogsUpdateResult(log: old, revision: try context.storeRevision())
    }
    var left = try DayEdit(habit, old.day, context)
    var edits: [DayEdit] = []
    if new.day == old.day {
      left.replace(log)
      edits = [left]
    } else {
      left.remove(old.id)
      var other = try DayEdit(habit, log.day, context)
      other.insert(log)
      edits = [left, other]
    }
    let revision = try context.commit([put] + milestones(edits, context))
    return HabitLogsUpdateResult(log: log, revision: revision)
  }

  func habitLogsDelete(
    _ params: HabitLogsDeleteParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsDeleteResult {
    let record = try context.record(of: HabitLog.self, params.id)
    let log = try context.decode(HabitLog.self, record)
    try context.checkBase(params.revision, record, log, nil)
    var operations: [Operation] = [.delete(HabitLog.collection, id: log.id)]
    if let habit = try book(context)[log.habitId]?.habit {
      var edit = try DayEdit(habit, log.day, context)
      edit.remove(log.id)
      operations += try milestones([edit], context)
    }
    return HabitLogsDeleteResult(log: log, revision: try context.commit(operations))
  }

  func habitLogsList(_ params: HabitLogsListParams, _ context: inout Context) throws(RPCError) -> HabitLogsListResult {
    let request = PageRequest(
      day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor)
    let page = try context.page(of: HabitLog.self, request) { view throws(RPCError) in
      guard let id = params.habitId else { return true }
      return try context.folder.migrations.read(LogAmount.self, view.record, in: HabitLog.collection).habitId == id
    }
    return HabitLogsListResult(
      logs: page.texts.map { JSONFragment(unchecked: $0) }, nextCursor: page.nextCursor, revision: page.revision)
  }

  func habitLogsSetValue(
    _ params: HabitLogsSetValueParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsSetValueResult {
    let value = params.value.map(Thousandths.value)
    return try edit(params.habitId, params.day, params.allowFuture, &context, HabitLogsSetValueResult.init) {
      edit, context, _ in
      edit.set(value, context)
    }
  }

  func habitLogsIncrement(
    _ params: HabitLogsIncrementParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsIncrementResult {
    let step = params.by.map(Thousandths.value) ?? Thousandths.one
    return try edit(params.habitId, params.day, params.allowFuture, &context, HabitLogsIncrementResult.init) {
      edit, context, measured in
      edit.at = params.at
      // The value of a day measure is the base for increments.
      if step != 0, edit.value == nil, let measured {
        edit.set(max(0, measured + step), context)
      } else {
        edit.add(step, context)
      }
    }
  }

  func habitLogsComplete(
    _ params: HabitLogsCompleteParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsCompleteResult {
    let known = try loggable(params.habitId, context, pointer: "/habitId")
    let plan = known.plan
    guard !plan.isBad else {
      throw RPCError(
        .invalidParams, "a “bad” habit cannot be completed", pointer: "/habitId", allowed: "a “good” habit",
        hint: "use “habitLogs/setValue” to log how often it happened")
    }
    // The days before count towards a target for several days.
    let day = params.day ?? context.currentDay
    let facts = plan.targetDays > 1 ? try timeline(known, through: day, context)[day] : nil
    let target = plan.target - (facts.map { $0.amount - ($0.isNeutral ? 0 : $0.value) } ?? 0)
    return try edit(params.habitId, params.day, params.allowFuture, &context, HabitLogsCompleteResult.init) {
      edit, context, measured in
      edit.at = params.at
      let present = edit.value ?? measured ?? 0
      guard present < target else { return }
      if edit.value == nil { edit.set(target, context) } else { edit.fill(target - present, context) }
    }
  }

  func habitLogsSkip(_ params: HabitLogsSkipParams, _ context: inout Context) throws(RPCError) -> HabitLogsSkipResult {
    let skips = params.skipped ?? true
    return try edit(params.habitId, params.day, params.allowFuture, &context, HabitLogsSkipResult.init) {
      edit, context, _ in
      edit.skip(skips, context)
    }
  }

  func habitLogsSetNote(
    _ params: HabitLogsSetNoteParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsSetNoteResult {
    return try edit(params.habitId, params.day, params.allowFuture, &context, HabitLogsSetNoteResult.init) {
      edit, context, _ in
      edit.note(params.note, context)
    }
  }

  func habitLogsSetMany(
    _ params: HabitLogsSetManyParams, _ context: inout Context
  ) throws(RPCError) -> HabitLogsSetManyResult {
    guard (1...10_000).contains(params.entries.count) else {
      throw RPCError(
        .invalidParams, "\(params.entries.count) days are given", pointer: "/entries", allowed: "1 to 10000 days")
    }
    var seen: Set<String> = []
    var edits: [DayEdit] = []
    var operations: [Operation] = []
    var changed = 0
    for (index, entry) in params.entries.enumerated() {
      let place = "/entries/\(index)"
      guard seen.insert("\(entry.habitId) \(entry.day)").inserted else {
        throw RPCError(
          .invalidParams, "the day is repeated for this habit", pointer: place + "/day", allowed: "each day once")
      }
      guard entry.value != .absent || entry.skipped != nil else {
        throw RPCError(
          .invalidParams, "the entry is empty", pointer: place, allowed: "“value”, “skipped”, or both")
      }
      let habit = try loggable(entry.habitId, context, pointer: place + "/habitId").habit
      try checkDay(entry.day, of: habit, params.allowFuture, context, pointer: place + "/day")
      var edit = try DayEdit(habit, entry.day, context)
      if entry.value != .absent { edit.set(entry.value.value.map(Thousandths.value), context) }
      if let skipped = entry.skipped { edit.skip(skipped, context) }
      let own = try edit.operations(context)
      guard !own.isEmpty else { continue }
      changed += 1
      operations += own
      edits.append(edit)
    }
    operations += try milestones(edits, context)
    return HabitLogsSetManyResult(changed: changed, revision: try context.commit(operations))
  }

  /// Edits the logs of a day. `body` also gets the value of the habit's day measure.
  private func edit<Result>(
    _ id: EntityID, _ day: CivilDay?, _ allowFuture: Bool?, _ context: inout Context,
    _ result: (_ habitDay: HabitDay, _ changed: Bool, _ revision: Int) -> Result,
    _ body: (inout DayEdit, Context, Int64?) -> Void
  ) throws(RPCError) -> Result {
    let entry = try loggable(id, context, pointer: "/habitId")
    let day = day ?? context.currentDay
    try checkDay(day, of: entry.habit, allowFuture, context, pointer: "/day")
    var edit = try DayEdit(entry.habit, day, context)
    let known = try figures(entry, context).history[day]
    body(&edit, context, known?.isMeasured == true ? known?.value : nil)
    let own = try edit.operations(context)
    var revision = try context.storeRevision()
    if !own.isEmpty { revision = try context.commit(own + (try milestones([edit], context))) }
    return result(try habitDay(edit, context), !own.isEmpty, revision)
  }

  /// A day in its wire form, with its notes.
  func habitDay(_ id: EntityID, _ day: CivilDay, _ context: Context) throws(RPCError) -> HabitDay {
    try habitDay(DayEdit(try entry(id, context, pointer: "/habitId").habit, day, context), context)
  }

  /// The same from the logs of the day.
  private func habitDay(_ edit: DayEdit, _ context: Context) throws(RPCError) -> HabitDay {
    let entry = try entry(edit.habit.id, context, pointer: "/habitId")
    return try timeline(entry, through: edit.day, context)
      .habitDay(
        edit.habit.id, edit.day, try figures(entry, context).history[edit.day], isAutomatic: entry.habit.source != nil,
        notes: edit.logs.compactMap(\.note))
  }

  /// A habit that is not archived.
  private func loggable(_ id: EntityID, _ context: Context, pointer: String) throws(RPCError) -> HabitBook.Entry {
    let entry = try entry(id, context, pointer: pointer)
    guard entry.habit.archivedDay == nil else {
      throw RPCError(
        .habitArchived, "the habit is archived", pointer: pointer, hint: "“habits/restore” reactivates it")
    }
    return entry
  }

  /// Refuses a day that the habit does not cover.
  private func checkDay(
    _ day: CivilDay, of habit: Habit, _ allowFuture: Bool?, _ context: Context, pointer: String
  ) throws(RPCError) {
    let latest = allowFuture == true ? CivilDay.allowed.upperBound : context.today
    let last = min(habit.endDay ?? latest, latest)
    guard day < habit.startDay || day > last else { return }
    let reason =
      day < habit.startDay
      ? "the habit begins on \(habit.startDay)"
      : day > context.today && allowFuture != true ? "the day is in the future" : "the habit ended on \(last)"
    throw RPCError(
      .habitDayRefused, reason, pointer: pointer,
      allowed: habit.startDay <= last ? "a day from \(habit.startDay) to \(last)" : "no day",
      hint: day > context.today ? "“allowFuture” permits days after today" : nil)
  }
}
