import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Values

extension Session {
  func mealsAdd(_ params: MealsAddParams, _ call: inout Call) throws(RPCError) -> MealsAddResult {
    let now = now()
    let meal = Meal(
      id: params.id ?? options.newID(), day: params.day ?? currentDay, zone: zoneName, name: params.name,
      calories: params.calories, mealType: params.mealType ?? .meal, protein: params.protein, carbs: params.carbs,
      fat: params.fat, note: params.note, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(meal, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    return MealsAddResult(meal: stored, created: isNew, revision: revision)
  }

  func mealsCopy(_ params: MealsCopyParams, _ call: inout Call) throws(RPCError) -> MealsCopyResult {
    var meal = try decode(Meal.self, mealRecord(params.id))
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

  /// Stores a meal that is meant to be new. The same again is a success that changes nothing: `isSame` says whether one that
  /// is there already is what the request asks for. Under an id made just now there cannot be one.
  private func create(
    _ meal: Meal, isNewID: Bool, pointer: String, _ call: inout Call, isSame: (Meal) -> Bool
  ) throws(RPCError) -> (meal: Meal, isNew: Bool, revision: Int) {
    let isUnique = isNewID && options.newIDsAreUnique
    if !isUnique, let record = try snapshot().record(meal.id, in: SessionConstants.meals) {
      let present = try decode(Meal.self, record)
      guard isSame(present) else {
        throw RPCError(
          .conflict, "there is a meal with this id and other content", pointer: pointer,
          hint: "leave the id out, or use “meals/update”",
          conflict: ConflictVersions(current: value(present), yours: value(meal)))
      }
      return (present, false, try revision())
    }
    let revision = try commit([try put(meal, keeping: nil)], ofNewRecords: isUnique, &call)
    announce(MealChange(id: meal.id, kind: .added, day: meal.day), revision, &call)
    return (meal, true, revision)
  }

  func mealsUpdate(_ params: MealsUpdateParams, _ call: inout Call) throws(RPCError) -> MealsUpdateResult {
    let record = try mealRecord(params.id)
    let old = try decode(Meal.self, record)
    var new = old
    new.day = params.day ?? old.day
    new.name = params.name ?? old.name
    new.calories = params.calories ?? old.calories
    new.mealType = params.mealType ?? old.mealType
    new.protein = params.protein.applied(to: old.protein)
    new.carbs = params.carbs.applied(to: old.carbs)
    new.fat = params.fat.applied(to: old.fat)
    new.note = params.note.applied(to: old.note)
    try checkBase(params.revision, record, old, new)
    guard new != old else { return MealsUpdateResult(meal: old, revision: try revision()) }
    new.updatedAt = max(now(), old.updatedAt.advanced(by: 1))
    let revision = try commit([try put(new, keeping: record)], &call)
    let previous = old.day == new.day ? nil : old.day
    announce(MealChange(id: new.id, kind: .updated, day: new.day, previousDay: previous), revision, &call)
    return MealsUpdateResult(meal: new, revision: revision)
  }

  func mealsDelete(_ params: MealsDeleteParams, _ call: inout Call) throws(RPCError) -> MealsDeleteResult {
    let record = try mealRecord(params.id)
    let meal = try decode(Meal.self, record)
    try checkBase(params.revision, record, meal, nil)
    let revision = try commit([.delete(SessionConstants.meals, id: meal.id)], &call)
    announce(MealChange(id: meal.id, kind: .deleted, day: meal.day), revision, &call)
    return MealsDeleteResult(meal: meal, revision: revision)
  }

  func mealsUndo(_ params: NoParams, _ call: inout Call) throws(RPCError) -> UndoResult {
    try undo(undoPlan(matching: { $0.hasPrefix("meals/") }), &call)
  }

  /// The record of a meal that has to be there.
  func mealRecord(_ id: EntityID) throws(RPCError) -> Record {
    guard let record = try snapshot().record(id, in: SessionConstants.meals) else {
      throw RPCError(.notFound, "there is no meal with this id", pointer: "/id", hint: "“meals/list” has the ids")
    }
    return record
  }

  /// Refuses an edit that is based on a revision since which the meal has changed.
  private func checkBase(_ base: Int?, _ record: Record, _ current: Meal, _ yours: Meal?) throws(RPCError) {
    let present = try revision()
    guard let base, record.revision > base || base > present else { return }
    throw RPCError(
      .conflict, "the meal is not as it was at revision \(base)", pointer: "/revision",
      hint: "read it again and repeat the edit",
      conflict: ConflictVersions(current: value(current), yours: yours.map { value($0) }))
  }

  private func put(_ meal: Meal, keeping old: Record?) throws(RPCError) -> Operation {
    .put(
      SessionConstants.meals, id: meal.id, day: meal.day, schema: schema(of: Meal.self), createdAt: meal.createdAt,
      updatedAt: meal.updatedAt, body: try storedBody(meal, keeping: old))
  }

  private func announce(_ change: MealChange, _ revision: Int, _ call: inout Call) {
    call.events.append(
      Event(
        MealsChangedParams.method, MealsChangedParams(revision: revision, origin: .thisFrontend, changes: [change])))
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

  /// Whether it has everything that a request to add it says. What the request leaves open, such as the day, may have been
  /// filled in otherwise when it was made the first time.
  func hasWhat(_ params: MealsAddParams) -> Bool {
    name == params.name && calories == params.calories
      && (params.day == nil || params.day == day) && (params.mealType == nil || params.mealType == mealType)
      && (params.protein == nil || params.protein == protein) && (params.carbs == nil || params.carbs == carbs)
      && (params.fat == nil || params.fat == fat) && (params.note == nil || params.note == note)
  }
}
