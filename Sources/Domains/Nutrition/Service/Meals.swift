import DomainKit
import Estimation
import Nutrition

extension Meal: UpdatableEntity {
  package static func made(
    from params: MealsAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Meal {
    var meal = Meal(
      id: id, day: params.day ?? context.currentDay, zone: context.zoneName, name: params.name,
      calories: params.calories ?? 0, mealType: params.mealType ?? .meal, protein: params.protein,
      carbs: params.carbs, fat: params.fat, nutrients: params.nutrients, time: params.time, amount: params.amount,
      unit: params.unit, barcode: params.barcode, note: params.note, createdAt: context.now, updatedAt: context.now)
    // The usual case: calories without an estimate.
    if params.calories != nil, params.estimate == nil { return meal }
    (meal.calories, meal.estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate.map { .value($0) } ?? .absent)
    meal.protein = meal.protein ?? MealNumbers.grams(meal.estimate, \.protein, \.protein)
    meal.carbs = meal.carbs ?? MealNumbers.grams(meal.estimate, \.carbs, \.carbs)
    meal.fat = meal.fat ?? MealNumbers.grams(meal.estimate, \.fat, \.fat)
    return meal
  }

  package func matches(_ params: MealsAddParams) -> Bool {
    // Compare the numbers that the request results in.
    var rest = params
    (rest.calories, rest.estimate) = (nil, nil)
    let numbers = try? MealNumbers.settled(
      calories: params.calories, estimate: params.estimate.map { .value($0) } ?? .absent)
    guard let numbers, hasMembers(of: rest) else { return false }
    return calories == numbers.calories && (numbers.estimate == nil || estimate == numbers.estimate)
  }

  package mutating func apply(_ params: MealsUpdateParams) throws(RPCError) {
    if let portions = params.portions { try correct(portions, params) }
    if let amount = params.amount.value { try scale(to: amount, params) }
    let (before, old) = ((calories, estimate), self)
    patch(params)
    // A name makes it a meal of a food.
    if params.name != nil { quick = nil }
    (calories, estimate) = try MealNumbers.settled(
      calories: params.calories, estimate: params.estimate, factor: params.factor, present: before)
    guard params.factor != nil || params.estimate.value != nil else { return }
    // Estimated amounts follow the estimate; typed ones stay.
    follow(\.protein, \.protein, \.protein, params.protein == .absent, old)
    follow(\.carbs, \.carbs, \.carbs, params.carbs == .absent, old)
    follow(\.fat, \.fat, \.fat, params.fat == .absent, old)
  }

  /// Changes the number of portions of a meal logged from a recipe, scaling all amounts.
  private mutating func correct(_ portions: Decimal, _ params: MealsUpdateParams) throws(RPCError) {
    try Recipe.checkPortions(portions)
    guard recipeId != nil, let logged = self.portions else {
      throw RPCError(
        .invalidParams, "the meal was not logged from a recipe", pointer: "/portions",
        allowed: "nothing, or a meal of “recipes/log”", hint: "send “calories” instead")
    }
    try multiply(by: portions, over: logged, pointer: "/portions", beside: params)
    self.portions = portions
  }

  /// Changes the amount in the same unit, scaling everything in the meal.
  private mutating func scale(to amount: Decimal, _ params: MealsUpdateParams) throws(RPCError) {
    let unit = params.unit.applied(to: self.unit)
    guard estimate == nil, params.portions == nil, let before = self.amount, before > .zero, amount > .zero,
      amount != before, unit == self.unit
    else { return }
    try multiply(by: amount, over: before, pointer: "/amount", beside: params)
  }

  /// Multiplies all amounts by `part` ÷ `whole`, except those that the request states.
  fileprivate mutating func multiply(
    by part: Decimal, over whole: Decimal, pointer: String, beside params: MealsUpdateParams? = nil
  ) throws(RPCError) {
    let all = Nutrients(
      calories: params?.calories == nil ? calories : 0, protein: params.leaves(\.protein) ? protein : nil,
      carbs: params.leaves(\.carbs) ? carbs : nil, fat: params.leaves(\.fat) ? fat : nil,
      nutrients: params.leaves(\.nutrients) ? nutrients.map { NutrientTotals($0) } : nil)
    guard let amounts = RecipeRules.portions(part, of: whole, all), RecipeRules.fitsMeal(amounts) else {
      throw RPCError(
        .invalidParams, "that is more than a meal may have", pointer: pointer,
        allowed: "at most 20000 kcal, and 5000 g of anything")
    }
    if params?.calories == nil { calories = amounts.calories }
    (protein, carbs, fat, nutrients) = (
      amounts.protein, amounts.carbs, amounts.fat, amounts.nutrients.map { OtherNutrients($0) }
    )
  }

  /// Sets a macronutrient from the estimate if it was absent or from the old estimate.
  private mutating func follow(
    _ member: WritableKeyPath<Meal, Decimal?>, _ whole: KeyPath<MealEstimate, EstimateRange?>,
    _ part: KeyPath<EstimatedItem, EstimateRange?>, _ isLeftOut: Bool, _ old: Meal
  ) {
    let before = old[keyPath: member]
    guard isLeftOut, before == nil || before == MealNumbers.grams(old.estimate, whole, part) else { return }
    self[keyPath: member] = MealNumbers.grams(estimate, whole, part) ?? before
  }

  /// Scales the meal by a factor. The estimate, which described the whole, is dropped.
  fileprivate mutating func scale(by factor: Decimal) throws(RPCError) {
    guard factor > .zero else {
      throw RPCError(
        .invalidParams, "the factor is not positive", pointer: "/factor", allowed: "more than 0, at most 100")
    }
    try multiply(by: factor, over: Decimal(1), pointer: "/factor")
    estimate = nil
    func times(_ amount: Decimal?, most: Decimal, _ scale: Int) throws(RPCError) -> Decimal? {
      guard let amount else { return nil }
      guard let thousandths = factor.units(ofScale: 3),
        let product = amount.multiplied(by: thousandths, over: 1000, roundedTo: scale)?.normalized, product <= most
      else {
        throw RPCError(
          .invalidParams, "that is more than a meal may have", pointer: "/factor", allowed: "a smaller factor")
      }
      return product
    }
    amount = try times(amount, most: Decimal(100_000), 3)
    portions = try times(portions, most: Decimal(1000), 2)
  }

  /// Refuses an invalid estimate, and calories that do not follow from it.
  package var problem: Refusal? {
    MealNumbers.problem(calories: calories, estimate: estimate).map { Refusal("/body" + $0.pointer, $0.message) }
  }

  /// Whether all but instants, zone and, with `onAnyDay`, the day are equal.
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
    var meal = try context.entity(Meal.self, params.id)
    meal.id = params.copyId ?? context.newID()
    meal.day = params.day ?? context.currentDay
    meal.zone = context.zoneName
    (meal.createdAt, meal.updatedAt) = (context.now, context.now)
    if let factor = params.factor { try meal.scale(by: factor) }
    let (stored, isNew, revision) = try context.create(meal, isNewID: params.copyId == nil, pointer: "/copyId") {
      present in
      meal.hasSameContent(as: present, onAnyDay: params.day == nil)
    }
    return MealsCopyResult(meal: stored, created: isNew, revision: revision)
  }
}

extension MealNumbers {
  /// `settle` with errors of the protocol.
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

extension MealsUpdateParams? {
  /// Whether the request leaves a member as it is.
  fileprivate func leaves<Value>(_ member: KeyPath<MealsUpdateParams, Presence<Value>>) -> Bool {
    guard let self else { return true }
    if case .absent = self[keyPath: member] { return true }
    return false
  }
}
