import DaybookProtocol
import DomainKit
import FileStore
import Nutrition

/// What can be found by its name though it was never logged: favourites and saved meals.
struct UnloggedFoods {
  private let search: FoodSearch
  private let type: MealType?
  private let snapshot: Snapshot
  private let migrations: RecordMigrations
  private let isLogged: ([UInt8]) -> Bool

  init(
    _ params: FoodsSearchParams, _ snapshot: Snapshot, _ migrations: RecordMigrations,
    isLogged: @escaping ([UInt8]) -> Bool
  ) {
    search = FoodSearch(params.query)
    type = params.mealType
    self.snapshot = snapshot
    self.migrations = migrations
    self.isLogged = isLogged
  }

  /// Those of a kind that match, the best match first and then by name; nil when there are none. `read` tells the name of one and
  /// as which meal it is usually eaten.
  func found<Entity: CollectionEntity>(
    _ kind: Entity.Type, _ limit: Int, _ read: (Entity) -> (name: String, type: MealType?)
  ) -> (found: [Entity]?, hasMore: Bool) {
    var found: [(match: Int, name: [UInt8], entity: Entity)] = []
    snapshot.forEachRecord(in: Entity.collection) { record in
      guard let entity = try? migrations.decode(Entity.self, record) else { return true }
      let (text, usual) = read(entity)
      let name = FoodName.folded(text)
      if let match = search.match(folded: name), type == nil || usual == type, !isLogged(name) {
        found.append((match, name, entity))
      }
      return true
    }
    found.sort { $0.match != $1.match ? $0.match < $1.match : $0.name.lexicographicallyPrecedes($1.name) }
    return (found.isEmpty ? nil : found.prefix(limit).map(\.entity), found.count > limit)
  }
}
