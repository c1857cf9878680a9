import DomainKit
import Nutrition
import TextFolding

extension NutritionService {
  /// The foods to offer, and the snapshot that they are of.
  private func offeredFoods(_ context: Context) throws(RPCError) -> (foods: OfferedFoods, snapshot: Snapshot) {
    let index = try foodIndex.current(context).index
    let snapshot = try context.snapshot()
    return (OfferedFoods(index: index, hidden: snapshot.hiddenFoods(context.folder.migrations)), snapshot)
  }

  func foodsSearch(_ params: FoodsSearchParams, _ context: inout Context) throws(RPCError) -> FoodsSearchResult {
    let migrations = context.folder.migrations
    let limit = params.limit ?? NutritionConstants.listedFoods
    let (foods, snapshot) = try offeredFoods(context)
    let list = foods.index.search(params.query, type: params.mealType, limit: limit, hidden: foods.hidden) {
      snapshot.hasFavourite($0)
    }
    let (favourites, more) = foods.unlogged(Favourite.self, params, limit, snapshot, migrations) {
      ($0.name, $0.mealType)
    }
    let (recipes, moreRecipes) = foods.unlogged(Recipe.self, params, limit, snapshot, migrations) {
      ($0.name, $0.mealType)
    }
    return FoodsSearchResult(
      foods: list.foods, favourites: favourites, recipes: recipes, hasMore: list.hasMore || more || moreRecipes,
      revision: snapshot.revision)
  }

  func foodsRecents(_ params: FoodsRecentsParams, _ context: inout Context) throws(RPCError) -> FoodsRecentsResult {
    let (foods, snapshot) = try offeredFoods(context)
    let list = foods.list(.recency, params.mealType, params.limit, snapshot)
    return FoodsRecentsResult(foods: list.foods, hasMore: list.hasMore, revision: snapshot.revision)
  }

  func foodsFrequent(
    _ params: FoodsFrequentParams, _ context: inout Context
  ) throws(RPCError) -> FoodsFrequentResult {
    let (foods, snapshot) = try offeredFoods(context)
    let list = foods.list(.frequency, params.mealType, params.limit, snapshot)
    return FoodsFrequentResult(foods: list.foods, hasMore: list.hasMore, revision: snapshot.revision)
  }
}

/// The logged foods without the hidden ones.
private struct OfferedFoods: Sendable {
  let index: FoodIndex
  /// Folded names.
  let hidden: Set<[UInt8]>

  func list(_ order: FoodOrder, _ type: MealType?, _ limit: Int?, _ snapshot: Snapshot) -> FoodList {
    index.list(order, type: type, limit: limit ?? NutritionConstants.listedFoods, hidden: hidden) {
      snapshot.hasFavourite($0)
    }
  }

  /// The matching favourites or recipes that were never logged, the best match first and then by name; nil without any. `read`
  /// returns the name and the usual meal type.
  func unlogged<Entity: CollectionEntity>(
    _ type: Entity.Type, _ params: FoodsSearchParams, _ limit: Int, _ snapshot: Snapshot,
    _ migrations: RecordMigrations, _ read: (Entity) -> (name: String, type: MealType?)
  ) -> (found: [Entity]?, hasMore: Bool) {
    let search = FoodSearch(params.query)
    var found: [(match: Int, name: [UInt8], entity: Entity)] = []
    snapshot.forEachRecord(in: Entity.collection) { record in
      guard let entity = try? migrations.decode(Entity.self, record) else { return true }
      let (text, usual) = read(entity)
      let name = FoldedName.folded(text)
      if let match = search.match(folded: name), params.mealType == nil || usual == params.mealType,
        !index.isLogged(name), !hidden.contains(name)
      {
        found.append((match, name, entity))
      }
      return true
    }
    found.sort { $0.match != $1.match ? $0.match < $1.match : $0.name.lexicographicallyPrecedes($1.name) }
    return (found.isEmpty ? nil : found.prefix(limit).map(\.entity), found.count > limit)
  }
}

extension Work {
  /// Runs `body` off the session.
  ///
  /// - Throws: `requestCancelled`, or `storeUnavailable` when no thread can be started.
  func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async throws(RPCError) -> Value {
    let value = await offSession(body)
    try checkCancellation()
    guard let value else { throw RPCError(.storeUnavailable, "no thread could be started") }
    return value
  }
}

extension Snapshot {
  /// Whether a favourite has a folded name.
  fileprivate func hasFavourite(_ name: [UInt8]) -> Bool {
    record(DerivedID.favourite(name), in: Favourite.collection) != nil
  }
}
