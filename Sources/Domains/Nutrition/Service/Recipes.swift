import DomainKit
import Nutrition

extension Recipe: UpdatableEntity {
  package static func made(
    from params: RecipesAddParams, _ id: EntityID, _ context: inout Context
  ) throws(RPCError) -> Recipe {
    try checkPortions(params.portions)
    try checkItems(params.items)
    return Recipe(
      id: id, name: params.name, portions: params.portions ?? Decimal(1), items: params.items,
      mealType: params.mealType, note: params.note, createdAt: context.now, updatedAt: context.now)
  }

  package mutating func apply(_ params: RecipesUpdateParams) throws(RPCError) {
    try Recipe.checkPortions(params.portions)
    if let items = params.items { try Recipe.checkItems(items) }
    patch(params)
  }

  /// Refuses a recipe without portions or items.
  package var problem: Refusal? {
    if portions <= .zero { return Refusal("/body/portions", "it has to be more than 0") }
    return RecipeRules.itemCounts.contains(items.count)
      ? nil : Refusal("/body/items", "1 to 100 items are allowed")
  }

  /// Refuses a number of portions that is not positive.
  static func checkPortions(_ portions: Decimal?) throws(RPCError) {
    guard let portions, portions <= .zero else { return }
    throw RPCError(
      .invalidParams, "the number of portions is not positive", pointer: "/portions", allowed: "more than 0, up to 1000"
    )
  }

  private static func checkItems(_ items: [RecipeItem]) throws(RPCError) {
    guard RecipeRules.itemCounts.contains(items.count) else {
      throw RPCError(
        .invalidParams, items.isEmpty ? "there are no items" : "there are too many items", pointer: "/items",
        allowed: "1 to 100 items")
    }
    guard let place = items.firstIndex(where: { !$0.name.isVisible }) else { return }
    throw RPCError(
      .invalidParams, "the name has no visible characters", pointer: "/items/\(place)/name",
      allowed: "1 to 200 characters"
    )
  }
}

extension NutritionService {
  func recipesGet(_ params: RecipesGetParams, _ context: inout Context) throws(RPCError) -> RecipesGetResult {
    let record = try context.record(of: Recipe.self, params.id)
    let recipe = try context.decode(Recipe.self, record)
    let total = RecipeRules.total(recipe.items)
    guard let portion = RecipeRules.portions(Decimal(1), of: recipe.portions, total) else {
      throw context.folder.defect("a stored recipe makes no portions")
    }
    return RecipesGetResult(
      recipe: context.fragment(record), total: total, portion: portion, revision: try context.storeRevision())
  }
}

extension NutritionService {
  func recipesLog(_ params: RecipesLogParams, _ context: inout Context) throws(RPCError) -> RecipesLogResult {
    try Recipe.checkPortions(params.portions)
    let portions = params.portions ?? Decimal(1)
    // The meal identifies a repeated request even if the recipe has changed.
    if let present = try context.find(Meal.self, params.mealId), present.isLogged(params, portions) {
      return RecipesLogResult(meal: present, created: false, revision: try context.storeRevision())
    }
    let recipe = try context.entity(Recipe.self, params.id)
    let total = RecipeRules.total(recipe.items)
    guard let amounts = RecipeRules.portions(portions, of: recipe.portions, total), RecipeRules.fitsMeal(amounts) else {
      throw RPCError(
        .invalidParams, "that is more than a meal may have", pointer: "/portions",
        allowed: "at most 20000 kcal, and 5000 g of anything", hint: "log it as several meals")
    }
    let now = context.now
    let meal = Meal(
      id: params.mealId ?? context.newID(), day: params.day ?? context.currentDay, zone: context.zoneName,
      name: recipe.name, calories: amounts.calories, mealType: params.mealType ?? recipe.mealType ?? .meal,
      protein: amounts.protein,
      carbs: amounts.carbs, fat: amounts.fat, nutrients: amounts.nutrients.map { OtherNutrients($0) },
      recipeId: recipe.id, portions: portions,
      createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try context.create(meal, isNewID: params.mealId == nil, pointer: "/mealId") {
      $0.isLogged(params, portions)
    }
    return RecipesLogResult(meal: stored, created: isNew, revision: revision)
  }

  func recipesFromMeals(
    _ params: RecipesFromMealsParams, _ context: inout Context
  ) throws(RPCError) -> RecipesFromMealsResult {
    try Recipe.checkPortions(params.portions)
    let items = try meals(of: params, context).map { meal in
      RecipeItem(
        name: meal.name, calories: meal.calories, protein: meal.protein, carbs: meal.carbs, fat: meal.fat,
        nutrients: meal.nutrients)
    }
    let now = context.now
    let recipe = Recipe(
      id: params.id ?? context.newID(), name: params.name, portions: params.portions ?? Decimal(1), items: items,
      mealType: params.mealType, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try context.create(recipe, isNewID: params.id == nil, pointer: "/id") { present in
      present.name == recipe.name && present.items == items && present.mealType == recipe.mealType
        && (params.portions == nil || params.portions == present.portions)
    }
    return RecipesFromMealsResult(recipe: stored, created: isNew, revision: revision)
  }

  /// The meals to save, 1 to 100; those of a day oldest first.
  private func meals(of params: RecipesFromMealsParams, _ context: Context) throws(RPCError) -> [Meal] {
    let most = RecipeRules.itemCounts.upperBound
    guard let ids = params.mealIds else {
      let day = params.day ?? context.currentDay
      let meals = try originals(day...day, params.mealType, context)
      guard RecipeRules.itemCounts.contains(meals.count) else {
        throw RPCError(
          .invalidParams, meals.isEmpty ? "there are no such meals on \(day)" : "there are more than \(most) meals",
          pointer: "/day", allowed: "a day with 1 to \(most) such meals", hint: "“meals/list” has them")
      }
      return meals
    }
    guard params.day == nil, params.mealType == nil else {
      throw RPCError(
        .invalidParams, "“mealIds” excludes “day” and “mealType”", pointer: "/mealIds",
        allowed: "either meals or a day")
    }
    guard RecipeRules.itemCounts.contains(ids.count) else {
      throw RPCError(
        .invalidParams, "a recipe has 1 to \(most) meals", pointer: "/mealIds", allowed: "1 to \(most) ids")
    }
    let snapshot = try context.snapshot()
    var meals: [Meal] = []
    var seen: Set<EntityID> = []
    for (index, id) in ids.enumerated() {
      guard seen.insert(id).inserted else {
        throw RPCError(
          .invalidParams, "this meal is listed twice", pointer: "/mealIds/\(index)", allowed: "every meal once")
      }
      guard let record = snapshot.record(id, in: Meal.collection) else {
        throw RPCError(
          .notFound, "there is no meal with this id", pointer: "/mealIds/\(index)", hint: "“meals/list” has the ids")
      }
      meals.append(try context.decode(Meal.self, record))
    }
    return meals
  }

  /// The meals of some days, oldest first; with a type, only those of it.
  func originals(_ days: ClosedRange<CivilDay>, _ type: MealType?, _ context: Context) throws(RPCError) -> [Meal] {
    var meals: [Meal] = []
    for record in try context.snapshot().records(in: Meal.collection, days: days).reversed() {
      let meal = try context.decode(Meal.self, record)
      if type == nil || meal.mealType == type { meals.append(meal) }
    }
    return meals
  }
}

extension Meal {
  /// Whether it matches what a `recipes/log` request states.
  fileprivate func isLogged(_ params: RecipesLogParams, _ portions: Decimal) -> Bool {
    recipeId == params.id && self.portions == portions && (params.day == nil || params.day == day)
      && (params.mealType == nil || params.mealType == mealType)
  }
}
