import CivilTime
import DaybookProtocol
import FileStore
import Values

/// An entity of which there are many, each on a day, that clients add, change and delete by id.
protocol LoggedEntity: KeptEntity {
  var day: CivilDay { get }
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

extension LoggedEntity {
  var recordDay: CivilDay? { day }

  static func event(_ changes: [KeptChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.compactMap { change in
      change.day.map { LoggedChange(id: change.id, kind: change.kind, day: $0, previousDay: change.previousDay) }
    }
    return event(changes, revision, origin)
  }
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
