import DomainKit
import Habits

extension HabitsService {
  /// All categories in order, including predefined ones not stored yet.
  func categories(_ context: Context) throws(RPCError) -> [HabitCategory] {
    let stored = try context.all(HabitCategory.self)
    let ids = Set(stored.map(\.id))
    let predefined = PredefinedCategories.all(at: context.now).filter { !ids.contains($0.id) }
    return (stored + predefined).sorted {
      ($0.order, $0.createdAt, $0.id) < ($1.order, $1.createdAt, $1.id)
    }
  }

  /// The operations that store the missing predefined categories, except one.
  func missingCategories(_ context: Context, except other: EntityID? = nil) throws(RPCError) -> [Operation] {
    let snapshot = try context.snapshot()
    return try PredefinedCategories.all(at: context.now)
      .filter { $0.id != other && snapshot.record($0.id, in: HabitCategory.collection) == nil }
      .map { category throws(RPCError) in try context.put(new: category) }
  }

  private func category(_ id: EntityID, _ context: Context) throws(RPCError) -> HabitCategory {
    if let category = try categories(context).first(where: { $0.id == id }) { return category }
    throw RPCError(
      .notFound, "there is no category with this id", pointer: "/id", hint: "“habitCategories/list” has the ids")
  }

  private func checkName(_ category: HabitCategory, _ context: Context) throws(RPCError) {
    if let problem = category.problem {
      throw RPCError(.invalidParams, problem.message, pointer: "/name", allowed: problem.allowed)
    }
    let name = category.name.lowercased()
    guard try categories(context).contains(where: { $0.id != category.id && $0.name.lowercased() == name }) else {
      return
    }
    throw RPCError(
      .habitNameTaken, "a category “\(category.name)” already exists", pointer: "/name", hint: "give it another name")
  }

  func habitCategoriesAdd(
    _ params: HabitCategoriesAddParams, _ context: inout Context
  ) throws(RPCError) -> HabitCategoriesAddResult {
    let last = try categories(context).last?.order ?? -1
    let category = HabitCategory(
      id: params.id ?? context.newID(), name: params.name, icon: params.icon, order: min(last + 1, 1_000_000),
      createdAt: context.now, updatedAt: context.now)
    if try context.snapshot().record(category.id, in: HabitCategory.collection) == nil {
      try checkName(category, context)
    }
    let (stored, isNew, revision) = try context.create(category, isNewID: params.id == nil) {
      $0.hasMembers(of: params)
    }
    return HabitCategoriesAddResult(category: stored, created: isNew, revision: revision)
  }

  func habitCategoriesUpdate(
    _ params: HabitCategoriesUpdateParams, _ context: inout Context
  ) throws(RPCError) -> HabitCategoriesUpdateResult {
    let old = try category(params.id, context)
    var new = old
    new.patch(params)
    if new.name != old.name { try checkName(new, context) }
    if let record = try context.snapshot().record(params.id, in: HabitCategory.collection) {
      let (stored, revision) = try context.update(record, from: old, to: new, basedOn: params.revision)
      return HabitCategoriesUpdateResult(category: stored, revision: revision)
    }
    guard new != old else { return HabitCategoriesUpdateResult(category: old, revision: try context.storeRevision()) }
    let others = try missingCategories(context, except: new.id)
    let revision = try context.commit([try context.put(new: new)] + others)
    return HabitCategoriesUpdateResult(category: new, revision: revision)
  }

  func habitCategoriesDelete(
    _ params: HabitCategoriesDeleteParams, _ context: inout Context
  ) throws(RPCError) -> HabitCategoriesDeleteResult {
    let category = try category(params.id, context)
    guard category.predefined != true else {
      throw RPCError(
        .predefinedCategory, "“\(category.name)” is predefined", pointer: "/id",
        hint: "it can be renamed, but not deleted")
    }
    var operations: [Operation] = []
    for entry in try book(context).entries where entry.habit.categoryId == params.id {
      var habit = entry.habit
      habit.categoryId = nil
      let record = try context.record(of: Habit.self, habit.id)
      operations.append(try context.put(&habit, keeping: record, readAs: entry.habit))
    }
    let (deleted, revision) = try context.delete(
      HabitCategory.self, params.id, basedOn: params.revision, with: operations)
    return HabitCategoriesDeleteResult(category: deleted, revision: revision)
  }

  func habitCategoriesGet(
    _ params: HabitCategoriesGetParams, _ context: inout Context
  ) throws(RPCError) -> HabitCategoriesGetResult {
    let category = try category(params.id, context)
    return HabitCategoriesGetResult(
      category: JSONFragment(unchecked: category.json), revision: try context.storeRevision())
  }

  func habitCategoriesList(_ params: NoParams, _ context: inout Context) throws(RPCError) -> HabitCategoriesListResult {
    HabitCategoriesListResult(categories: try categories(context), revision: try context.storeRevision())
  }
}
