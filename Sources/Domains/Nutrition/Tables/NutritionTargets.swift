import DaybookProtocol
import Tables

/// An entity that can be made of a table row.
package protocol RowEntity: TableEntity {
  associatedtype Row
  /// The row of a draft; nil for a draft of another kind.
  static func row(of draft: NutritionDraft) -> Row?
  static var members: [RowMember<Self, Row>] { get }
  var day: CivilDay { get }
  var timeOfDay: WallTime? { get }
  init?(_ row: Row, id: EntityID, zone: TimeZoneName, at instant: Instant)
  /// Updates what follows from the members that a row has set; false when a row's value is invalid.
  mutating func settle(after old: Self) -> Bool
}

extension RowEntity {
  package mutating func settle(after old: Self) -> Bool { true }
}

/// A member of an entity that a table row sets.
package struct RowMember<Entity, Row>: Sendable {
  let name: String
  /// The fields of which a table needs one to cover the member; empty when every table covers it.
  let fields: [String]
  let isSame: @Sendable (Entity, Row) -> Bool
  let set: @Sendable (inout Entity, Row) -> Void

  /// Whether it is a time of day, which may stand behind the day.
  var isTime: Bool { name == "at" || name == "time" }

  init(
    _ name: String, in fields: [String], isSame: @escaping @Sendable (Entity, Row) -> Bool,
    set: @escaping @Sendable (inout Entity, Row) -> Void
  ) {
    self.name = name
    self.fields = fields
    self.isSame = isSame
    self.set = set
  }

  init<Value: Equatable & SendableMetatype>(
    _ name: String, _ own: any WritableKeyPath<Entity, Value> & Sendable, _ row: any KeyPath<Row, Value> & Sendable,
    in fields: [String] = []
  ) {
    self.init(name, in: fields) {
      $0[keyPath: own] == $1[keyPath: row]
    } set: {
      $0[keyPath: own] = $1[keyPath: row]
    }
  }

  /// A note; an empty one is the same as none.
  init(
    note own: any WritableKeyPath<Entity, String?> & Sendable, _ row: any KeyPath<Row, String?> & Sendable,
    in fields: [String] = []
  ) {
    self.init("note", in: fields) {
      $0[keyPath: own] ?? "" == $1[keyPath: row] ?? ""
    } set: {
      $0[keyPath: own] = $1[keyPath: row]
    }
  }
}

/// Turns rows into entities. A row without an id matches an entity of its day that was logged by hand and says the same.
package struct RowTarget<Entity: RowEntity>: TableTarget {
  /// The members that the table covers.
  private let members: [RowMember<Entity, Entity.Row>]
  private let zone: TimeZoneName
  /// Whether times stand behind the days, where they are no part of a row's key.
  private let hasTimesBehindDays: Bool

  package init(_ table: NutritionTable, _ zone: TimeZoneName) {
    hasTimesBehindDays = table.style.hasTimes
    members = Entity.members.filter { member in
      member.fields.isEmpty || member.fields.contains { table.mapping.columns[$0] != nil }
        || member.isTime && table.style.hasTimes
    }
    self.zone = zone
  }

  package var takesOnlySame: Bool { true }
  package func likeness(of draft: NutritionDraft) -> CivilDay? { draft.day }
  package func likeness(of entity: Entity) -> CivilDay { entity.day }
  package func day(of draft: NutritionDraft) -> CivilDay? { draft.day }
  package func day(of entity: Entity) -> CivilDay? { entity.day }

  package func differences(of entity: Entity, from draft: NutritionDraft) -> [String] {
    guard let row = Entity.row(of: draft) else { return [] }
    var names: [String] = []
    for member in members where member.name != names.last && !member.isSame(entity, row) { names.append(member.name) }
    return names
  }

  package func isSame(_ entity: Entity, as draft: NutritionDraft) -> Bool {
    guard let row = Entity.row(of: draft) else { return true }
    return members.allSatisfy { $0.isSame(entity, row) || $0.isTime && entity.timeOfDay == nil }
  }

  /// Entries at two times of a day are two.
  package func isVersion(_ entity: Entity, of draft: NutritionDraft) -> Bool {
    guard hasTimesBehindDays, entity.timeOfDay != nil, let row = Entity.row(of: draft) else { return true }
    return members.allSatisfy { !$0.isTime || $0.isSame(entity, row) }
  }

  package func applied(_ draft: NutritionDraft, to entity: Entity) -> Entity? {
    guard let row = Entity.row(of: draft) else { return nil }
    var applied = entity
    for member in members { member.set(&applied, row) }
    return applied.settle(after: entity) ? applied : nil
  }

  package func made(of draft: NutritionDraft, id: EntityID, at instant: Instant) -> Entity? {
    Entity.row(of: draft).flatMap { Entity($0, id: id, zone: zone, at: instant) }
  }
}

extension NutritionDraft {
  fileprivate var day: CivilDay {
    switch self {
    case .meal(let meal): meal.day
    case .weight(let weight): weight.day
    case .day(let entry): entry.day
    case .exercise(let exercise): exercise.day
    case .water(let water): water.day
    case .measurement(let measurement): measurement.day
    case .several: CivilDay(daysSinceEpoch: 0)
    }
  }
}
