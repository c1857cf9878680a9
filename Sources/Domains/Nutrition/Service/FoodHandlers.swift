import DomainKit
import Nutrition

extension NutritionService {
  /// Answers from the index without hidden foods: now if there is an index, else once it is built.
  private func answer<Result: JSONEncodable & Sendable>(
    _ context: Context, _ body: @escaping @Sendable (OfferedFoods, Snapshot) -> Result
  ) throws(RPCError) -> HeavyAnswer<Result> {
    let snapshot = try context.snapshot()
    let hidden = snapshot.hiddenFoods(context.folder.migrations)
    if let index = foods.present(context, snapshot) {
      return .now(body(OfferedFoods(index: index, hidden: hidden), snapshot))
    }
    let build = foods.pendingBuild(context, snapshot)
    return .work { work throws(RPCError) in
      try await work.result {
        build.answer { body(OfferedFoods(index: $0, hidden: hidden), build.snapshot) }
      }
    }
  }

  func foodsSearch(
    _ params: FoodsSearchParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<FoodsSearchResult> {
    let migrations = context.folder.migrations
    let limit = params.limit ?? NutritionConstants.listedFoods
    return try answer(context) { foods, snapshot in
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
  }

  func foodsRecents(
    _ params: FoodsRecentsParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<FoodsRecentsResult> {
    try answer(context) { foods, snapshot in
      let list = foods.list(.recency, params.mealType, params.limit, snapshot)
      return FoodsRecentsResult(foods: list.foods, hasMore: list.hasMore, revision: snapshot.revision)
    }
  }

  func foodsFrequent(
    _ params: FoodsFrequentParams, _ context: inout Context
  ) throws(RPCError) -> HeavyAnswer<FoodsFrequentResult> {
    try answer(context) { foods, snapshot in
      let list = foods.list(.frequency, params.mealType, params.limit, snapshot)
      return FoodsFrequentResult(foods: list.foods, hasMore: list.hasMore, revision: snapshot.revision)
    }
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
      let name = FoodName.folded(text)
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
