import DomainKit
import Habits
import Premium

extension HabitsService {
  func habitsAdd(_ params: HabitsAddParams, _ context: inout Context) throws(RPCError) -> HabitsAddResult {
    let measure = params.measure ?? (params.unit != nil || params.source != nil ? .numeric : .binary)
    let habit = Habit(
      id: params.id ?? context.newID(), name: params.name, question: params.question, icon: params.icon,
      colour: params.colour ?? HabitRules.defaultColour, kind: params.kind ?? .good, measure: measure,
      unit: params.unit,
      target: params.target ?? Decimal(1), inclusive: params.inclusive, targetDays: params.targetDays,
      schedule: params.schedule ?? HabitSchedule(kind: .daily),
      startDay: params.startDay ?? context.today, endDay: params.endDay, categoryId: params.categoryId,
      tags: params.tags, order: 0, pinned: params.pinned, reminders: params.reminders, place: params.place,
      source: params.source, note: params.note, createdAt: context.now, updatedAt: context.now)
    let (stored, isNew, revision) = try add(habit, &context) { $0.hasMembers(of: params) }
    return HabitsAddResult(habit: stored, created: isNew, revision: revision)
  }

  /// Stores a new habit after all others, together with missing predefined categories.
  ///
  /// - Parameter isSame: Whether an existing habit with the id matches the request.
  func add(
    _ habit: Habit, pointer: String = "/id", _ context: inout Context, isSame: (Habit) -> Bool
  ) throws(RPCError) -> (habit: Habit, isNew: Bool, revision: Int) {
    if try context.snapshot().record(habit.id, in: Habit.collection) != nil {
      let known = try context.create(habit, isNewID: false, pointer: pointer, isSame: isSame)
      return (known.entity, false, known.revision)
    }
    var habit = habit
    habit.order = (try book(context).entries.last?.habit.order ?? -1) + 1
    try check(habit, since: nil, context)
    try checkLimit(context)
    let operations = [try context.put(new: habit)] + (try missingCategories(context))
    return (habit, true, try context.commit(operations))
  }

  func habitsUpdate(_ params: HabitsUpdateParams, _ context: inout Context) throws(RPCError) -> HabitsUpdateResult {
    let record = try context.record(of: Habit.self, params.id)
    let old = try context.decode(Habit.self, record)
    var new = old
    new.patch(params)
    if params.measure == .binary, old.measure != .binary {
      if params.unit == .absent { new.unit = nil }
      if params.target == nil { new.target = Decimal(1) }
      if params.targetDays == .absent { new.targetDays = nil }
    }
    if params.kind == .good || params.measure == .binary, params.inclusive == .absent { new.inclusive = nil }
    if new != old { try check(new, since: old, context) }
    let (habit, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
    return HabitsUpdateResult(habit: habit, revision: revision)
  }

  func habitsList(_ params: HabitsListParams, _ context: inout Context) throws(RPCError) -> HabitsListResult {
    let book = try book(context)
    let tag = params.tag?.lowercased()
    let wanted = params.archived == true ? book.entries.filter { $0.habit.archivedDay != nil } : book.active
    let habits = wanted.map(\.habit).filter { habit in
      (params.categoryId == nil || habit.categoryId == params.categoryId)
        && (tag == nil || habit.tags?.contains { $0.lowercased() == tag } == true)
    }
    return HabitsListResult(
      habits: habits, active: book.active.count, limit: HabitLimit.active(hasAccess: context.hasPremiumAccess),
      revision: try context.storeRevision())
  }

  func habitsArchive(_ params: HabitsArchiveParams, _ context: inout Context) throws(RPCError) -> HabitsArchiveResult {
    try change(params.id, params.revision, &context, HabitsArchiveResult.init) { habit, context in
      if habit.archivedDay == nil { habit.archivedDay = context.today }
    }
  }

  func habitsRestore(_ params: HabitsRestoreParams, _ context: inout Context) throws(RPCError) -> HabitsRestoreResult {
    try change(params.id, params.revision, &context, HabitsRestoreResult.init) { habit, context throws(RPCError) in
      guard let archived = habit.archivedDay else { return }
      try self.checkLimit(context)
      if archived < context.today {
        habit = habit.paused(archived...context.today.advanced(by: -1), isOpen: false)
      }
      habit.archivedDay = nil
      try self.checkName(habit, context)
    }
  }

  func habitsPause(_ params: HabitsPauseParams, _ context: inout Context) throws(RPCError) -> HabitsPauseResult {
    let from = params.from ?? context.today
    if let to = params.to, to < from {
      throw RPCError(
        .invalidParams, "the pause ends before it begins", pointer: "/to", allowed: "a day from \(from) on")
    }
    return try change(params.id, params.revision, &context, HabitsPauseResult.init) { habit, _ in
      habit = habit.paused(from...(params.to ?? from), isOpen: params.to == nil)
    }
  }

  func habitsResume(_ params: HabitsResumeParams, _ context: inout Context) throws(RPCError) -> HabitsResumeResult {
    let day = params.day ?? context.today
    return try change(params.id, params.revision, &context, HabitsResumeResult.init) { habit, _ in
      habit = habit.resumed(on: day)
    }
  }

  private func change<Result>(
    _ id: EntityID, _ base: Int?, _ context: inout Context, _ result: (_ habit: Habit, _ revision: Int) -> Result,
    _ body: (inout Habit, Context) throws(RPCError) -> Void
  ) throws(RPCError) -> Result {
    let record = try context.record(of: Habit.self, id)
    let old = try context.decode(Habit.self, record)
    var new = old
    try body(&new, context)
    let (habit, revision) = try context.update(record, from: old, to: new, basedOn: base)
    return result(habit, revision)
  }

  /// Validates the changed parts of a habit.
  func check(_ habit: Habit, since old: Habit?, _ context: Context) throws(RPCError) {
    if let refusal = HabitRules.refusal(of: habit) { throw RPCError(refusal) }
    if habit.reminders != old?.reminders, habit.reminders?.isEmpty == false {
      try context.require(.habitReminders, pointer: "/reminders")
    }
    if habit.place != old?.place, habit.place != nil { try context.require(.habitLocations, pointer: "/place") }
    if let category = habit.categoryId, category != old?.categoryId {
      guard try categories(context).contains(where: { $0.id == category }) else {
        throw RPCError(
          .notFound, "there is no category with this id", pointer: "/categoryId",
          hint: "“habitCategories/list” has the ids")
      }
    }
    if let old, habit.startDay > old.startDay, let first = try entry(habit.id, context).logged.records.first,
      first.day < habit.startDay
    {
      throw RPCError(
        .invalidParams, "there is a log before that day", pointer: "/startDay",
        allowed: "a day up to \(first.day)")
    }
    if habit.archivedDay == nil, old.map({ HabitRules.nameKey($0) != HabitRules.nameKey(habit) }) ?? true {
      try checkName(habit, context)
    }
  }

  func checkName(_ habit: Habit, _ context: Context) throws(RPCError) {
    let key = HabitRules.nameKey(habit)
    let book = try book(context)
    guard book.active.contains(where: { $0.habit.id != habit.id && HabitRules.nameKey($0.habit) == key }) else {
      return
    }
    throw RPCError(
      .habitNameTaken, "a habit “\(habit.name)” with the same category and unit already exists", pointer: "/name",
      hint: "give it another name, category or unit, or archive the existing habit")
  }

  /// Refuses another active habit beyond the limit.
  func checkLimit(_ context: Context) throws(RPCError) {
    guard
      !HabitLimit.mayActivate(active: try book(context).active.count, hasAccess: context.hasPremiumAccess)
    else { return }
    try context.require(.unlimitedHabits)
  }
}
