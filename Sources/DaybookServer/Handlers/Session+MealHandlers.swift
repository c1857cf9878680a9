import CivilTime
import DaybookProtocol
import Estimation
import FileStore
import JSON
import JSONRPC
import Values

extension Session {
  func mealsAdd(_ params: MealsAddParams, _ call: inout Call) throws(RPCError) -> MealsAddResult {
    let now = now()
    let (calories, estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate.map { .value($0) } ?? .absent)
    let meal = Meal(
      id: params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, name: params.name,
      calories: calories, mealType: params.mealType ?? .meal, protein: params.protein, carbs: params.carbs,
      fat: params.fat, note: params.note, estimate: estimate, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(meal, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params) && $0.calories == calories && (estimate == nil || $0.estimate == estimate)
    }
    return MealsAddResult(meal: stored, created: isNew, revision: revision)
  }

  func mealsCopy(_ params: MealsCopyParams, _ call: inout Call) throws(RPCError) -> MealsCopyResult {
    var meal = try decode(Meal.self, record(of: Meal.self, params.id))
    let now = now()
    meal.id = params.newId ?? options.newID()
    meal.day = params.day ?? currentDay
    meal.zone = zoneName
    meal.createdAt = now
    meal.updatedAt = now
    let (stored, isNew, revision) = try create(meal, isNewID: params.newId == nil, pointer: "/newId", &call) {
      present in
      meal.hasSameContent(as: present, onAnyDay: params.day == nil)
    }
    return MealsCopyResult(meal: stored, created: isNew, revision: revision)
  }

  func mealsUpdate(_ params: MealsUpdateParams, _ call: inout Call) throws(RPCError) -> MealsUpdateResult {
    let record = try record(of: Meal.self, params.id)
    let old = try decode(Meal.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.name = params.name ?? old.name
    // With a name of its own it is of a food.
    if params.name != nil { new.isQuick = nil }
    (new.calories, new.estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate, factor: params.factor,
      present: (old.calories, old.estimate))
    new.mealType = params.mealType ?? old.mealType
    new.protein = params.protein.applied(to: old.protein)
    new.carbs = params.carbs.applied(to: old.carbs)
    new.fat = params.fat.applied(to: old.fat)
    new.note = params.note.applied(to: old.note)
    let (meal, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return MealsUpdateResult(meal: meal, revision: revision)
  }

  func mealsDelete(_ params: MealsDeleteParams, _ call: inout Call) throws(RPCError) -> MealsDeleteResult {
    let (meal, revision) = try delete(Meal.self, params.id, basedOn: params.revision, &call)
    return MealsDeleteResult(meal: meal, revision: revision)
  }

  func mealsUndo(_ params: NoParams, _ call: inout Call) throws(RPCError) -> UndoResult {
    try undo(undoPlan(matching: { $0.hasPrefix("meals/") }), &call)
  }

  func mealsGet(_ params: MealsGetParams) throws(RPCError) -> MealsGetResult {
    let record = try record(of: Meal.self, params.id)
    return MealsGetResult(meal: fragment(record), revision: try revision())
  }

  func mealsList(_ params: MealsListParams) throws(RPCError) -> MealsListResult {
    let page = try page(
      of: Meal.self,
      PageRequest(day: params.day, from: params.from, to: params.to, limit: params.limit, cursor: params.cursor))
    return MealsListResult(meals: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }
}

extension Meal {
  /// Whether a user would call both the same: everything but id, instants and zone, and perhaps the day.
  func hasSameContent(as other: Meal, onAnyDay: Bool) -> Bool {
    var copy = other
    copy.createdAt = createdAt
    copy.updatedAt = updatedAt
    copy.zone = zone
    if onAnyDay { copy.day = day }
    return copy == self
  }

  /// Whether it has everything that a request to add it says, but for its number and where that came from. What the request leaves
  /// open, such as the day, may have been filled in otherwise when it was made the first time.
  func hasWhat(_ params: MealsAddParams) -> Bool {
    name == params.name
      && (params.day == nil || params.day == day) && (params.mealType == nil || params.mealType == mealType)
      && (params.protein == nil || params.protein == protein) && (params.carbs == nil || params.carbs == carbs)
      && (params.fat == nil || params.fat == fat) && (params.note == nil || params.note == note)
  }
}
