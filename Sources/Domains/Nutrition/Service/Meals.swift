import CivilTime
import DaybookProtocol
import DomainKit
import Estimation
import FileStore
import JSONRPC
import Nutrition
import Values

extension Meal: PlainEntity {
  package static func made(
    from params: MealsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Meal {
    let (calories, estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate.map { .value($0) } ?? .absent)
    return Meal(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, name: params.name, calories: calories,
      mealType: params.mealType ?? .meal, protein: params.protein, carbs: params.carbs, fat: params.fat,
      note: params.note, estimate: estimate, createdAt: context.now, updatedAt: context.now)
  }

  package func matches(_ params: MealsAddParams) -> Bool {
    // The numbers are those that the request comes to.
    var rest = params
    (rest.calories, rest.estimate) = (nil, nil)
    let numbers = try? MealNumbers.settled(
      calories: params.calories, estimate: params.estimate.map { .value($0) } ?? .absent)
    guard let numbers, hasMembers(of: rest) else { return false }
    return calories == numbers.calories && (numbers.estimate == nil || estimate == numbers.estimate)
  }

  package mutating func apply(_ params: MealsUpdateParams) throws(RPCError) {
    let before = (calories, estimate)
    patch(params)
    // With a name of its own it is of a food.
    if params.name != nil { quick = nil }
    (calories, estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate, factor: params.factor, present: before)
  }

  /// A meal whose name cannot be seen, or whose estimate is none or has led to another number.
  package var problem: Refusal? {
    if !name.isVisible { return Refusal.blank("/body/name") }
    return MealNumbers.problem(calories: calories, estimate: estimate).map { Refusal("/body" + $0.pointer, $0.message) }
  }

  /// Whether a user would call both the same: everything but id, instants and zone, and perhaps the day.
  func hasSameContent(as other: Meal, onAnyDay: Bool) -> Bool {
    var copy = other
    copy.createdAt = createdAt
    copy.updatedAt = updatedAt
    copy.zone = zone
    if onAnyDay { copy.day = day }
    return copy == self
  }
}

extension NutritionService {
  func mealsCopy(_ params: MealsCopyParams, _ context: inout Context) throws(RPCError) -> MealsCopyResult {
    var meal = try context.decode(Meal.self, context.record(of: Meal.self, params.id))
    meal.id = params.copyId ?? context.newID()
    meal.day = params.day ?? context.currentDay
    meal.zone = context.zoneName
    (meal.createdAt, meal.updatedAt) = (context.now, context.now)
    let (stored, isNew, revision) = try context.create(meal, isNewID: params.copyId == nil, pointer: "/copyId") {
      present in
      meal.hasSameContent(as: present, onAnyDay: params.day == nil)
    }
    return MealsCopyResult(meal: stored, created: isNew, revision: revision)
  }
}

extension MealNumbers {
  /// As `settle`, with its refusals as clients see them.
  package static func settled(
    calories: Int?, estimate: Presence<MealEstimate>, factor: Decimal? = nil,
    present: (calories: Int, estimate: MealEstimate?)? = nil
  ) throws(RPCError) -> (calories: Int, estimate: MealEstimate?) {
    do throws(Problem) {
      return try settle(calories: calories, estimate: estimate, factor: factor, present: present)
    } catch {
      throw RPCError(
        .invalidParams, "params\(error.pointer): \(error.message)", pointer: error.pointer, allowed: error.allowed,
        hint: error.hint)
    }
  }
}
