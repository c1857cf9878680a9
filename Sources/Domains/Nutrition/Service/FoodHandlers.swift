import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Nutrition

/// The index of the foods that were logged. It is made away from the session when it is first needed, and then kept up with what changes
/// the meals. Once it is there, requests are answered at once.
struct FoodMemory {
  private var index: FoodIndex?
  private var revision = 0
  private var epoch = 0
  /// The same while it is made away from the session.
  private var build: FoodIndexBuild?

  /// The index of the present; nil when there is none that can be brought there in a moment.
  mutating func present(_ context: Context, _ snapshot: Snapshot) -> FoodIndex? {
    if epoch != context.folder.epoch { self = FoodMemory(epoch: context.folder.epoch) }
    if index == nil, let build, let made = build.take() {
      (index, revision) = (made, build.snapshot.revision)
      self.build = nil
    }
    guard index != nil else { return nil }
    guard revision != snapshot.revision else { return index }
    guard revision < snapshot.revision,
      let records = context.changes(
        since: revision, of: [Meal.collection], atMost: NutritionConstants.followedMealChanges)
    else {
      index = nil
      return nil
    }
    let migrations = context.folder.migrations
    for change in records {
      for case let day? in [change.day, change.previousDay, change.lastDay]
      where index?.isClosed(day.month.lowerBound) == true {
        index?.open(day.month.lowerBound, snapshot.foodMeals(day.month, migrations))
      }
      if let record = snapshot.record(change.id, in: Meal.collection),
        let meal = MealFood.read(record, migrations)
      {
        index?.put(meal.0, meal.1)
      } else {
        index?.remove(change.id)
      }
    }
    revision = snapshot.revision
    return index
  }

  /// What makes the index of the present, away from the session.
  mutating func making(_ context: Context, _ snapshot: Snapshot) -> FoodIndexBuild {
    if let build, build.snapshot.revision == snapshot.revision { return build }
    let made = FoodIndexBuild(snapshot, context.folder.migrations)
    build = made
    return made
  }

  init() {}

  private init(epoch: Int) { self.epoch = epoch }
}

extension NutritionService {
  /// Answers by the index, without what is hidden: at once if it is there, else when it was made.
  private func answer<Result: JSONEncodable & Sendable>(
    _ context: Context, _ body: @escaping @Sendable (OfferedFoods, Snapshot) -> Result
  ) throws(RPCError) -> HeavyAnswer<Result> {
    let snapshot = try context.snapshot()
    let hidden = snapshot.hiddenFoods(context.folder.migrations)
    if let index = foods.present(context, snapshot) {
      return .now(body(OfferedFoods(index: index, hidden: hidden), snapshot))
    }
    let build = foods.making(context, snapshot)
    return .work { work throws(RPCError) in
      let result = await work.offSession {
        build.answer { body(OfferedFoods(index: $0, hidden: hidden), build.snapshot) }
      }
      try work.checkCancellation()
      guard let result else { throw RPCError(.storeUnavailable, "the system gives no thread to work on") }
      return result
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
      let unlogged = UnloggedFoods(params, snapshot, migrations) {
        foods.index.isLogged($0) || foods.hidden.contains($0)
      }
      let (favourites, more) = unlogged.found(Favourite.self, limit) { ($0.name, $0.mealType) }
      let (recipes, moreRecipes) = unlogged.found(Recipe.self, limit) { ($0.name, $0.mealType) }
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

/// The foods that were logged, and which of them are not to be offered.
private struct OfferedFoods: Sendable {
  let index: FoodIndex
  /// Folded names.
  let hidden: Set<[UInt8]>

  /// The first in an order.
  func list(_ order: FoodOrder, _ type: MealType?, _ limit: Int?, _ snapshot: Snapshot) -> FoodList {
    index.list(order, type: type, limit: limit ?? NutritionConstants.listedFoods, hidden: hidden) {
      snapshot.hasFavourite($0)
    }
  }
}

extension Snapshot {
  /// Whether there is a favourite of a folded name.
  fileprivate func hasFavourite(_ name: [UInt8]) -> Bool {
    record(DerivedID.favourite(name), in: Favourite.collection) != nil
  }
}
