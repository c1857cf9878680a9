import CivilTime
import DaybookProtocol
import FileStore
import Values

extension Exercise: LoggedEntity {
  static var noun: String { "exercise" }
  static var methods: String { "exercises" }

  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map(BodyChange.init)
    return Event(
      ExercisesChangedParams.method, ExercisesChangedParams(revision: revision, origin: origin, changes: changes))
  }
}

extension WaterEntry: LoggedEntity {
  static var noun: String { "water entry" }
  static var methods: String { "water" }

  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map(BodyChange.init)
    return Event(WaterChangedParams.method, WaterChangedParams(revision: revision, origin: origin, changes: changes))
  }
}

extension Measurement: LoggedEntity {
  static var noun: String { "measurement" }
  static var methods: String { "measurements" }

  static func event(_ changes: [LoggedChange], _ revision: Int, _ origin: Origin) -> Event {
    let changes = changes.map(BodyChange.init)
    return Event(
      MeasurementsChangedParams.method,
      MeasurementsChangedParams(revision: revision, origin: origin, changes: changes))
  }
}

extension BodyChange {
  /// The same to a client.
  fileprivate init(_ change: LoggedChange) {
    self.init(id: change.id, kind: change.kind, day: change.day, previousDay: change.previousDay)
  }
}
