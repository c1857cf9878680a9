import CivilTime
import DaybookProtocol
import FileStore
import Values

/// An entity of which there are many, that clients add, change and delete by id.
protocol KeptEntity: StoredEntity, Equatable {
  var id: EntityID { get }
  /// The day it belongs to, if any.
  var recordDay: CivilDay? { get }
  var createdAt: Instant { get }
  var updatedAt: Instant { get set }
  /// What one is called in messages.
  static var noun: String { get }
  /// The first part of its methods' names.
  static var methods: String { get }
  /// The event that tells of some of them.
  static func event(_ changes: [KeptChange], _ revision: Int, _ origin: Origin) -> Event
}

/// What happened to one entity.
struct KeptChange {
  let id: EntityID
  let kind: ChangeKind
  /// The day it belongs (or, deleted, belonged) to, if any.
  var day: CivilDay?
  /// The day it was moved from.
  var previousDay: CivilDay?
}

extension Favourite: KeptEntity {
  static var collection: CollectionName { SessionConstants.foods }
  static var noun: String { "favourite" }
  static var methods: String { "foods" }
  var recordDay: CivilDay? { nil }

  static func event(_ changes: [KeptChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map { FavouriteChange(id: $0.id, kind: $0.kind) }
    return Event(
      FoodsChangedParams.method, FoodsChangedParams(revision: revision, origin: origin, changes: changes))
  }
}

extension Recipe: KeptEntity {
  static var collection: CollectionName { SessionConstants.recipes }
  static var noun: String { "saved meal" }
  static var methods: String { "recipes" }
  var recordDay: CivilDay? { nil }

  static func event(_ changes: [KeptChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map { RecipeChange(id: $0.id, kind: $0.kind) }
    return Event(
      RecipesChangedParams.method, RecipesChangedParams(revision: revision, origin: origin, changes: changes))
  }
}
