import DomainKit
import Habits

extension HabitsService {
  func habitsReorder(_ params: HabitsReorderParams, _ context: inout Context) throws(RPCError) -> HabitsReorderResult {
    let book = try book(context)
    guard (1...1000).contains(params.habitIds.count) else {
      throw RPCError(
        .invalidParams, "\(params.habitIds.count) habits are given", pointer: "/habitIds", allowed: "1 to 1000 habits")
    }
    var seen: Set<EntityID> = []
    for (index, id) in params.habitIds.enumerated() {
      _ = try entry(id, context, pointer: "/habitIds/\(index)")
      guard seen.insert(id).inserted else {
        throw RPCError(
          .invalidParams, "the habit is repeated", pointer: "/habitIds/\(index)", allowed: "each habit once")
      }
    }
    var next = params.habitIds[...]
    let ids = book.entries.map { entry in
      seen.contains(entry.habit.id) ? next.popFirst() ?? entry.habit.id : entry.habit.id
    }
    let operations = try moves(ids, book, context)
    let revision = try context.commit(operations)
    return HabitsReorderResult(habitIds: ids, revision: revision)
  }

  /// The operations that put habits in the order of `ids`. Each takes the order number of its new place. Numbers that
  /// do not ascend, as when two devices assigned the same, are raised.
  private func moves(_ ids: [EntityID], _ book: HabitBook, _ context: Context) throws(RPCError) -> [Operation] {
    var operations: [Operation] = []
    var last = -1
    for (place, id) in ids.enumerated() {
      let order = max(book.entries[place].habit.order, last + 1)
      last = order
      guard let entry = book[id], entry.habit.order != order else { continue }
      let record = try context.record(of: Habit.self, id)
      var habit = entry.habit
      habit.order = order
      operations.append(try context.put(&habit, keeping: record, readAs: entry.habit))
    }
    return operations
  }

  func habitsDuplicate(
    _ params: HabitsDuplicateParams, _ context: inout Context
  ) throws(RPCError) -> HabitsDuplicateResult {
    var habit = try entry(params.id, context).habit
    habit.id = params.copyId ?? context.newID()
    guard habit.id != params.id else {
      throw RPCError(
        .invalidParams, "a copy needs an id of its own", pointer: "/copyId", allowed: "an id that was not used")
    }
    if let name = params.name { habit.name = name } else { habit.name = try freeName(like: habit, context) }
    (habit.pauses, habit.archivedDay, habit.suggestionId) = (nil, nil, nil)
    if try !categories(context).contains(where: { $0.id == habit.categoryId }) { habit.categoryId = nil }
    habit.startDay = context.today
    if let end = habit.endDay, end < habit.startDay { habit.endDay = nil }
    (habit.createdAt, habit.updatedAt) = (context.now, context.now)
    let wanted = habit
    // A retry, even on another day, finds the copy made before.
    let (stored, isNew, revision) = try add(habit, pointer: "/copyId", &context) { present in
      var copy = wanted
      (copy.startDay, copy.endDay, copy.order) = (present.startDay, present.endDay, present.order)
      (copy.createdAt, copy.updatedAt) = (present.createdAt, present.updatedAt)
      return copy == present
    }
    return HabitsDuplicateResult(habit: stored, created: isNew, revision: revision)
  }

  /// The name with the first free number appended.
  private func freeName(like habit: Habit, _ context: Context) throws(RPCError) -> String {
    let others = try book(context).active.filter { $0.habit.id != habit.id }
    let taken = Set(others.map { HabitRules.nameKey($0.habit) })
    var copy = habit
    let stem = String(String.UnicodeScalarView(habit.name.unicodeScalars.prefix(190)))
    for number in 2...10_000 {
      copy.name = "\(stem) \(number)"
      if !taken.contains(HabitRules.nameKey(copy)) { return copy.name }
    }
    return habit.name
  }

  func habitsAddSuggested(
    _ params: HabitsAddSuggestedParams, _ context: inout Context
  ) throws(RPCError) -> HabitsAddSuggestedResult {
    guard let suggestion = HabitSuggestions.all.first(where: { $0.id == params.suggestionId }) else {
      throw RPCError(
        .notFound, "there is no suggestion with this id", pointer: "/suggestionId",
        hint: "“habitSuggestions/list” has the ids")
    }
    if let known = try book(context).entries.first(where: { $0.habit.suggestionId == suggestion.id }) {
      return HabitsAddSuggestedResult(habit: known.habit, created: false, revision: try context.storeRevision())
    }
    let own = DerivedID.suggestedHabit(suggestion.id)
    let isFree = try context.snapshot().record(own, in: Habit.collection) == nil
    let habit = Habit(
      id: isFree ? own : context.newID(), name: suggestion.name, icon: suggestion.icon, colour: suggestion.colour,
      kind: suggestion.kind, measure: suggestion.measure, unit: suggestion.unit, target: suggestion.target,
      schedule: suggestion.schedule, startDay: params.startDay ?? context.today,
      categoryId: suggestion.categoryId, order: 0, source: suggestion.source, suggestionId: suggestion.id,
      createdAt: context.now, updatedAt: context.now)
    let (stored, isNew, revision) = try add(habit, &context) { _ in false }
    return HabitsAddSuggestedResult(habit: stored, created: isNew, revision: revision)
  }

  func habitSuggestionsList(
    _ params: HabitSuggestionsListParams, _ context: inout Context
  ) throws(RPCError) -> HabitSuggestionsListResult {
    let book = try book(context)
    var made: [String: EntityID] = [:]
    for entry in book.entries { if let id = entry.habit.suggestionId { made[id] = made[id] ?? entry.habit.id } }
    let suggestions = HabitSuggestions.all.filter { params.categoryId == nil || $0.categoryId == params.categoryId }
    return HabitSuggestionsListResult(
      suggestions: suggestions.map {
        var suggestion = $0
        suggestion.habitId = made[suggestion.id]
        return suggestion
      }, revision: try context.storeRevision())
  }
}
