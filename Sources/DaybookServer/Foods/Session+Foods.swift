import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Nutrition

/// Foods are told of by an index that is made away from the session when it is first needed, and then kept up with whatever changes the
/// meals. Once it is there, requests are answered at once.
extension Session {
  /// Whether a request is about foods as they were logged.
  nonisolated static func asksFoods(_ method: Method) -> Bool {
    switch method {
    case .foodsSearch, .foodsRecents, .foodsFrequent: true
    default: false
    }
  }

  /// Whether a heavy request can be answered here and now.
  func isAtHand(_ method: Method) throws(RPCError) -> Bool {
    guard Session.asksFoods(method) else { return false }
    return try followFoods()
  }

  /// Writes the result of a request that is at hand.
  func answerAtHand(
    _ method: Method, _ reader: inout JSONReader, _ writer: inout JSONWriter
  ) throws(RPCError) {
    let snapshot = try snapshot()
    switch (method, foodIndex) {
    case (.foodsSearch, let index?):
      let params = try decode(FoodsSearchParams.self, &reader)
      params.result(index, snapshot).encode(to: &writer)
    case (.foodsRecents, let index?):
      let params = try decode(FoodsRecentsParams.self, &reader)
      params.result(index, snapshot).encode(to: &writer)
    case (.foodsFrequent, let index?):
      let params = try decode(FoodsFrequentParams.self, &reader)
      params.result(index, snapshot).encode(to: &writer)
    default: throw defect("\(method.name) is not at hand")
    }
  }

  /// Brings the index up to the present; false when there is none that can be brought there in a moment.
  private func followFoods() throws(RPCError) -> Bool {
    let snapshot = try snapshot()
    guard foodIndex != nil else { return false }
    guard foodRevision != snapshot.revision else { return true }
    let store = try openStore()
    guard foodRevision < snapshot.revision,
      let page = try? store.changes(since: foodRevision, limit: SessionConstants.followedMealChanges),
      page.isComplete, page.revision == snapshot.revision
    else {
      foodIndex = nil
      return false
    }
    for change in page.records where change.collection == SessionConstants.meals {
      if let record = snapshot.record(change.id, in: SessionConstants.meals), let meal = mealFood(record) {
        foodIndex?.put(meal.0, meal.1)
      } else {
        foodIndex?.remove(change.id)
      }
    }
    foodRevision = snapshot.revision
    return true
  }

  /// What answers a request about foods of the present, away from the session.
  func foodsInWaiting() throws(RPCError) -> FoodIndexBuild {
    let snapshot = try snapshot()
    if let build = foodBuild, build.snapshot.revision == snapshot.revision { return build }
    let build = FoodIndexBuild(snapshot, epoch: foodEpoch) { [self] in mealFood($0) }
    foodBuild = build
    return build
  }

  /// Keeps an index that was made elsewhere, unless what it was made of does not stand for the store any more.
  private func keep(_ build: FoodIndexBuild) {
    if foodBuild === build { foodBuild = nil }
    guard foodIndex == nil, build.epoch == foodEpoch, let index = build.take() else { return }
    foodIndex = index
    foodRevision = build.snapshot.revision
  }

  /// What a meal says of its food; nil when it is of none, or cannot be read here.
  nonisolated func mealFood(_ record: borrowing Record) -> (MealPlace, LoggedFood)? {
    guard let day = record.day, let food = (try? read(MealFood.self, record, in: SessionConstants.meals))?.food else {
      return nil
    }
    return (MealPlace(day: day, createdAt: record.createdAt, id: record.id), food)
  }

  /// Answers away from the session, with an index that is made first if nobody has.
  private nonisolated func foods<Result: Sendable>(
    _ work: HeavyWork, _ body: @escaping @Sendable (FoodIndex, Snapshot) -> Result
  ) async throws(RPCError) -> Result {
    guard let build = work.foods else {
      throw RPCError(.internalError, "a defect in daybook", hint: "the foods were not prepared")
    }
    let result = await work.offSession { build.answer { body($0, build.snapshot) } }
    soon { $0.keep(build) }
    try work.checkCancellation()
    guard let result else { throw RPCError(.storeUnavailable, "the system gives no thread to work on") }
    return result
  }

  nonisolated func foodsSearch(
    _ params: FoodsSearchParams, _ work: HeavyWork
  ) async throws(RPCError) -> FoodsSearchResult {
    try await foods(work) { params.result($0, $1) }
  }

  nonisolated func foodsRecents(
    _ params: FoodsRecentsParams, _ work: HeavyWork
  ) async throws(RPCError) -> FoodsRecentsResult {
    try await foods(work) { params.result($0, $1) }
  }

  nonisolated func foodsFrequent(
    _ params: FoodsFrequentParams, _ work: HeavyWork
  ) async throws(RPCError) -> FoodsFrequentResult {
    try await foods(work) { params.result($0, $1) }
  }
}

extension Snapshot {
  /// Whether there is a favourite of a folded name.
  fileprivate func hasFavourite(_ name: [UInt8]) -> Bool {
    record(DerivedID.favourite(name), in: SessionConstants.foods) != nil
  }
}

extension FoodsSearchParams {
  fileprivate func result(_ index: FoodIndex, _ snapshot: Snapshot) -> FoodsSearchResult {
    let list = index.search(query, type: mealType, limit: limit ?? SessionConstants.listedFoods) {
      snapshot.hasFavourite($0)
    }
    return FoodsSearchResult(foods: list.foods, more: list.more, revision: snapshot.revision)
  }
}

extension FoodsRecentsParams {
  fileprivate func result(_ index: FoodIndex, _ snapshot: Snapshot) -> FoodsRecentsResult {
    let list = index.list(.recency, type: mealType, limit: limit ?? SessionConstants.listedFoods) {
      snapshot.hasFavourite($0)
    }
    return FoodsRecentsResult(foods: list.foods, more: list.more, revision: snapshot.revision)
  }
}

extension FoodsFrequentParams {
  fileprivate func result(_ index: FoodIndex, _ snapshot: Snapshot) -> FoodsFrequentResult {
    let list = index.list(.frequency, type: mealType, limit: limit ?? SessionConstants.listedFoods) {
      snapshot.hasFavourite($0)
    }
    return FoodsFrequentResult(foods: list.foods, more: list.more, revision: snapshot.revision)
  }
}
