import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Nutrition
import Values

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
