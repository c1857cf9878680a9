import CivilTime
import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition
import Values

extension Session {
  func recipesAdd(_ params: RecipesAddParams, _ call: inout Call) throws(RPCError) -> RecipesAddResult {
    try checkPortions(params.portions)
    try checkItems(params.items)
    let now = now()
    let recipe = Recipe(
      id: params.id ?? options.newID(), name: params.name, portions: params.portions ?? Decimal(1), items: params.items,
      mealType: params.mealType, note: params.note, createdAt: now, updatedAt: now)
    let (stored, isNew, revision) = try create(recipe, isNewID: params.id == nil, pointer: "/id", &call) {
      $0.hasWhat(params)
    }
    return RecipesAddResult(recipe: stored, created: isNew, revision: revision)
  }

  func recipesUpdate(_ params: RecipesUpdateParams, _ call: inout Call) throws(RPCError) -> RecipesUpdateResult {
    try checkPortions(params.portions)
    if let items = params.items { try checkItems(items) }
    let record = try record(of: Recipe.self, params.id)
    let old = try decode(Recipe.self, record)
    var new = old
    new.name = params.name ?? old.name
    new.portions = params.portions ?? old.portions
    new.items = params.items ?? old.items
    new.mealType = params.mealType.applied(to: old.mealType)
    new.note = params.note.applied(to: old.note)
    let (recipe, revision) = try update(record, from: old, to: new, basedOn: params.revision, &call)
    return RecipesUpdateResult(recipe: recipe, revision: revision)
  }

  func recipesDelete(_ params: RecipesDeleteParams, _ call: inout Call) throws(RPCError) -> RecipesDeleteResult {
    let (recipe, revision) = try delete(Recipe.self, params.id, basedOn: params.revision, &call)
    return RecipesDeleteResult(recipe: recipe, revision: revision)
  }

  func recipesGet(_ params: RecipesGetParams) throws(RPCError) -> RecipesGetResult {
    let record = try record(of: Recipe.self, params.id)
    let recipe = try decode(Recipe.self, record)
    let total = RecipeRules.total(recipe.items)
    guard let portion = RecipeRules.portions(Decimal(1), of: recipe.portions, total) else {
      throw defect("a stored recipe makes no portions")
    }
    return RecipesGetResult(recipe: fragment(record), total: total, portion: portion, revision: try revision())
  }

  func recipesList(_ params: RecipesListParams) throws(RPCError) -> RecipesListResult {
    let page = try page(of: Recipe.self, PageRequest(limit: params.limit, cursor: params.cursor))
    return RecipesListResult(recipes: page.items, nextCursor: page.nextCursor, revision: page.revision)
  }

  /// Refuses a number of portions that is not greater than zero.
  func checkPortions(_ portions: Decimal?) throws(RPCError) {
    guard let portions, portions <= .zero else { return }
    throw RPCError(
      .invalidParams, "there is no such number of portions", pointer: "/portions", allowed: "more than 0, up to 1000")
  }

  private func checkItems(_ items: [RecipeItem]) throws(RPCError) {
    guard !RecipeRules.itemCounts.contains(items.count) else { return }
    throw RPCError(
      .invalidParams, items.isEmpty ? "nothing goes into it" : "too much goes into it", pointer: "/items",
      allowed: "1 to 100 items")
  }
}

extension Recipe {
  /// Whether it has everything that a request to add it says.
  func hasWhat(_ params: RecipesAddParams) -> Bool {
    name == params.name && items == params.items && (params.portions == nil || params.portions == portions)
      && (params.mealType == nil || params.mealType == mealType) && (params.note == nil || params.note == note)
  }
}
