import DomainKit
import Nutrition

extension NutritionService {
  func mealsQuickAdd(_ params: MealsQuickAddParams, _ context: inout Context) throws(RPCError) -> MealsQuickAddResult {
    let now = context.now
    let meal = Meal(
      id: params.id ?? context.newID(), day: params.day ?? context.currentDay, zone: context.zoneName,
      name: NutritionConstants.quickAddName, calories: params.calories, mealType: params.mealType ?? .meal,
      protein: params.protein, carbs: params.carbs, fat: params.fat, note: params.note, quick: true, createdAt: now,
      updatedAt: now)
    let wanted = MealsAddParams(
      id: params.id, day: params.day, name: meal.name, calories: params.calories, mealType: params.mealType,
      protein: params.protein, carbs: params.carbs, fat: params.fat, note: params.note)
    let (stored, isNew, revision) = try context.create(meal, isNewID: params.id == nil, pointer: "/id") {
      $0.quick == true && $0.calories == params.calories && $0.matches(wanted)
    }
    return MealsQuickAddResult(meal: stored, created: isNew, revision: revision)
  }

  func mealsCopyDays(_ params: MealsCopyDaysParams, _ context: inout Context) throws(RPCError) -> MealsCopyDaysResult {
    let days = try days(of: params)
    let target = params.target ?? context.currentDay
    let shift = Int(target.daysSinceEpoch) - Int(days.lowerBound.daysSinceEpoch)
    let last = Int(days.upperBound.daysSinceEpoch) + shift
    let end = CivilDay.allowed.upperBound
    guard last <= Int(end.daysSinceEpoch) else {
      let length = Int(days.upperBound.daysSinceEpoch) - Int(days.lowerBound.daysSinceEpoch)
      throw RPCError(
        .invalidParams, "the copies would be after the end of the calendar", pointer: "/target",
        allowed: "a day up to \(end.advanced(by: -length))")
    }
    let newID = context.folder.newID
    let identities = params.copyId.map { copy in
      MealCopies.Identities.derived(high: DerivedID.copiesHigh(copy)) { DerivedID.copyLow(copy, of: $0) }
    }
    let copies = MealCopies.copies(
      of: try originals(days, params.mealType, context), shift: shift, zone: context.zoneName, now: context.now,
      identities ?? .fresh { newID() })
    let (meals, new) = try withPresent(copies, context)
    guard !new.isEmpty else {
      return MealsCopyDaysResult(meals: meals, created: 0, revision: try context.storeRevision())
    }
    let operations = try new.map { meal throws(RPCError) in try context.put(new: meal) }
    let areUnique = params.copyId == nil && context.folder.newIDsAreUnique
    let revision = try context.commit(operations, ofNewRecords: areUnique)
    return MealsCopyDaysResult(meals: meals, created: new.count, revision: revision)
  }

  /// The days to copy.
  private func days(of params: MealsCopyDaysParams) throws(RPCError) -> ClosedRange<CivilDay> {
    let days = try RPCError.days(params.from, params.to ?? params.from)
    let last = params.from.advanced(by: MealCopies.mostDays - 1)
    guard days.upperBound <= last else {
      throw RPCError(
        .invalidParams, "the range has more than \(MealCopies.mostDays) days", pointer: "/to",
        allowed: "a day up to \(last)", hint: "copy it in parts")
    }
    return days
  }

  /// The copies, with stored ones instead of equal new ones; and the new ones.
  ///
  /// - Throws: `conflict` when a stored copy is on another day, because the `copyId` was used before.
  private func withPresent(_ copies: [Meal], _ context: Context) throws(RPCError) -> (meals: [Meal], new: [Meal]) {
    let snapshot = try context.snapshot()
    var (meals, new) = ([Meal](), [Meal]())
    for copy in copies {
      guard let record = snapshot.record(copy.id, in: Meal.collection) else {
        new.append(copy)
        meals.append(copy)
        continue
      }
      let present = try context.decode(Meal.self, record)
      guard present.day == copy.day else {
        throw RPCError(
          .conflict, "a copy with this id is on another day", pointer: "/copyId",
          hint: "use a new id for each copy request",
          conflict: ConflictVersions(current: jsonValue(present), yours: jsonValue(copy)))
      }
      meals.append(present)
    }
    return (meals, new)
  }
}
