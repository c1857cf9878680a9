import CivilTime
import DaybookProtocol
import FileStore
import Values

/// An entity of which there are many, each on a day, that clients add, change and delete by id.
protocol LoggedEntity: StoredEntity, Equatable {
  var id: EntityID { get }
  var day: CivilDay { get }
  var createdAt: Instant { get }
  var updatedAt: Instant { get set }
  /// What one is called in messages.
  static var noun: String { get }
  /// The first part of its methods' names.
  static var methods: String { get }
  /// The event that tells of some of them.
  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event
}

/// What happened to one entity that has a day.
struct LoggedChange {
  let id: EntityID
  let kind: ChangeKind
  /// The day it belongs (or, deleted, belonged) to.
  let day: CivilDay
  /// The day it was moved from.
  var previousDay: CivilDay?
}

extension Meal: LoggedEntity {
  static var noun: String { "meal" }
  static var methods: String { "meals" }

  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map { MealChange(id: $0.id, kind: $0.kind, day: $0.day, previousDay: $0.previousDay) }
    return Event(
      MealsChangedParams.method, MealsChangedParams(revision: revision, origin: origin, changes: changes))
  }
}

extension WeightEntry: LoggedEntity {
  static var noun: String { "weight" }
  static var methods: String { "weights" }

  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map { WeightChange(id: $0.id, kind: $0.kind, day: $0.day, previousDay: $0.previousDay) }
    return Event(
      WeightsChangedParams.method, WeightsChangedParams(revision: revision, origin: origin, changes: changes))
  }
}
