import CivilTime
import DaybookProtocol
import Nutrition
import Tables
import Values

/// Something logged on a day that comes of a row by members alone.
package protocol RowEntity: TableEntity {
  /// What a row says of it.
  associatedtype Row
  /// Of a draft; nil for another kind.
  static func row(of draft: NutritionDraft) -> Row?
  var day: CivilDay { get }
  /// The members that say something else than the row.
  func differences(from row: Row) -> [String]
  mutating func apply(_ row: Row)
  init?(_ row: Row, id: EntityID, zone: TimeZoneName, at instant: Instant)
}

/// Rows that become such.
package struct RowTarget<Entity: RowEntity>: NutritionTarget {
  private let zone: TimeZoneName

  package init(_ type: Entity.Type, _ zone: TimeZoneName) { self.zone = zone }

  package func likeness(of entity: Entity) -> CivilDay { entity.day }
  package func day(of entity: Entity) -> CivilDay? { entity.day }

  package func differences(of entity: Entity, from draft: NutritionDraft) -> [String] {
    Entity.row(of: draft).map { entity.differences(from: $0) } ?? []
  }

  package func applied(_ draft: NutritionDraft, to entity: Entity) -> Entity? {
    guard let row = Entity.row(of: draft) else { return nil }
    var applied = entity
    applied.apply(row)
    return applied
  }

  package func made(of draft: NutritionDraft, id: EntityID, at instant: Instant) -> Entity? {
    Entity.row(of: draft).flatMap { Entity($0, id: id, zone: zone, at: instant) }
  }
}

extension Exercise: RowEntity {
  package static func row(of draft: NutritionDraft) -> TableExercise? {
    if case .exercise(let row) = draft { row } else { nil }
  }

  package func differences(from row: TableExercise) -> [String] {
    [
      ("day", day == row.day), ("at", at == row.at), ("name", name == row.name), ("calories", calories == row.calories),
      ("minutes", minutes == row.minutes), ("note", note ?? "" == row.note ?? ""),
    ].filter { !$0.1 }.map(\.0)
  }

  package mutating func apply(_ row: TableExercise) {
    (day, at, name, calories, minutes, note) = (row.day, row.at, row.name, row.calories, row.minutes, row.note)
  }

  /// One of a training session has the session's identity, or is none.
  package init?(_ row: TableExercise, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    let source = ExerciseSource(kind: row.sessionId == nil ? .manual : .training, id: row.sessionId)
    guard ExerciseRules.identity(source).map({ $0 == id }) ?? true else { return nil }
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, name: row.name, calories: row.calories, minutes: row.minutes,
      source: source, note: row.note, createdAt: instant, updatedAt: instant)
  }
}

extension WaterEntry: RowEntity {
  package static func row(of draft: NutritionDraft) -> TableWater? {
    if case .water(let row) = draft { row } else { nil }
  }

  package func differences(from row: TableWater) -> [String] {
    [
      ("day", day == row.day), ("at", at == row.at), ("typed", typed == row.typed),
      ("note", note ?? "" == row.note ?? ""),
    ].filter { !$0.1 }.map(\.0)
  }

  package mutating func apply(_ row: TableWater) {
    (day, at, note) = (row.day, row.at, row.note)
    guard typed != row.typed, let millilitres = try? VolumeUnits.millilitres(row.typed) else { return }
    (typed, volume) = (row.typed, millilitres)
  }

  package init?(_ row: TableWater, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    guard let millilitres = try? VolumeUnits.millilitres(row.typed) else { return nil }
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, volume: millilitres, typed: row.typed, note: row.note,
      createdAt: instant, updatedAt: instant)
  }
}

extension Measurement: RowEntity {
  package static func row(of draft: NutritionDraft) -> TableMeasurement? {
    if case .measurement(let row) = draft { row } else { nil }
  }

  package func differences(from row: TableMeasurement) -> [String] {
    [
      ("day", day == row.day), ("at", at == row.at), ("kind", kind == row.kind), ("value", value == row.value),
      ("secondValue", secondValue == row.secondValue), ("unit", unit == row.unit),
      ("note", note ?? "" == row.note ?? ""),
    ].filter { !$0.1 }.map(\.0)
  }

  package mutating func apply(_ row: TableMeasurement) {
    (day, at, kind, note) = (row.day, row.at, row.kind, row.note)
    (value, secondValue, unit) = (row.value, row.secondValue, row.unit)
  }

  package init?(_ row: TableMeasurement, id: EntityID, zone: TimeZoneName, at instant: Instant) {
    self.init(
      id: id, day: row.day, zone: zone, at: row.at, kind: row.kind, value: row.value, secondValue: row.secondValue,
      unit: row.unit, note: row.note, createdAt: instant, updatedAt: instant)
  }
}
