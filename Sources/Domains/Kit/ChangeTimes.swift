import DaybookProtocol
import FileStore
import JSON

/// The times of changes. Each version of a record is later than the one it replaces, even while the clock stands still
/// or after it was set back, and all that a change makes different in a record has the time of the record. Devices
/// decide by these times which of two versions stays, so nothing else may set them.
extension RecordMigrations {
  /// The operation that stores an entity, which gets the time of the change; so do its parts that differ from those of
  /// the replaced version.
  ///
  /// - Parameters:
  ///   - old: The version that it replaces; nil when it is new.
  ///   - present: The entity in that version, if the caller has it.
  ///   - now: The time of the request.
  package func put<Entity: CollectionEntity>(
    _ entity: inout Entity, keeping old: Record?, readAs present: Entity? = nil, at now: Instant
  ) throws(RPCError) -> Operation {
    entity.updatedAt = max(now, entity.createdAt).following(old?.updatedAt)
    let before =
      if let present { present } else { try old.map { old throws(RPCError) in try decode(Entity.self, old) } }
    entity.stampParts(since: before, at: entity.updatedAt)
    return .put(
      Entity.collection, id: entity.id, day: entity.recordDay, schema: schema(of: Entity.collection),
      createdAt: entity.createdAt, updatedAt: entity.updatedAt,
      body: try body(entity, keeping: old, readAs: before))
  }

  /// The operation that stores the only entity of a collection.
  package func put<Entity: SingleEntity>(
    _ entity: Entity, keeping old: Record?, at now: Instant
  ) throws(RPCError) -> Operation {
    .put(
      Entity.collection, id: Entity.singleID, day: nil, schema: schema(of: Entity.collection),
      createdAt: old?.createdAt ?? now, updatedAt: now.following(old?.updatedAt),
      body: try body(entity, keeping: old))
  }
}

extension Operation {
  /// The operation as a change at `now`: the record it puts, and the parts that differ from those of the replaced
  /// version, get the time of the change.
  ///
  /// - Parameter present: The version that it replaces; nil when there is none.
  package func stamped(at now: Instant, replacing present: Record?) -> Operation {
    guard case .put(let collection, let id, let day, let schema, let created, let updated, let body) = self else {
      return self
    }
    let time = now.following(max(updated, present?.updatedAt ?? updated))
    var text = body
    if case .object(var object)? = try? JSONValue(json: body), object[StoredPart.time] != nil {
      var before = JSONObject()
      if let present, case .object(let known)? = present.body.withUnsafeBytes({ try? JSONValue(json: $0) }) {
        before = known
      }
      for member in object.members {
        guard var parts = StoredPart.list(member.value), !parts.isEmpty else { continue }
        parts.stamp(since: before[member.name].flatMap(StoredPart.list) ?? [], at: time)
        object[member.name] = .array(parts.map { .object($0.object) })
      }
      object[StoredPart.time] = .string("\(time)")
      text = JSONValue.object(object).json
    }
    return .put(collection, id: id, day: day, schema: schema, createdAt: created, updatedAt: time, body: text)
  }
}

/// A part of an entity that has an id and a time of its own.
package protocol TimedPart: Equatable {
  var id: EntityID { get }
  var updatedAt: Instant { get set }
}

extension Array where Element: TimedPart {
  /// Gives the time of a change to the parts that are new or changed, or that have moved relative to the others that
  /// stay. All others keep the time they had.
  package mutating func stamp(since old: [Element], at time: Instant) {
    let known = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let ids = Set(map(\.id))
    let (stays, stayed) = (map(\.id).filter { known[$0] != nil }, old.map(\.id).filter(ids.contains))
    let moved = Set(zip(stays, stayed).filter { $0 != $1 }.map(\.0))
    for index in indices {
      let before = known[self[index].id]
      if let before { self[index].updatedAt = before.updatedAt }
      if self[index] != before || moved.contains(self[index].id) {
        self[index].updatedAt = time.following(before?.updatedAt)
      }
    }
  }
}

/// A part as it is stored.
private struct StoredPart: TimedPart {
  static let time = "updatedAt"

  private(set) var object: JSONObject
  let id: EntityID
  var updatedAt: Instant { didSet { object[StoredPart.time] = .string("\(updatedAt)") } }

  /// The parts in a stored array; nil when it is something else.
  static func list(_ value: JSONValue) -> [StoredPart]? {
    guard case .array(let elements) = value else { return nil }
    let parts = elements.compactMap(StoredPart.init)
    return parts.count == elements.count ? parts : nil
  }

  private init?(_ value: JSONValue) {
    guard case .object(let object) = value, case .string(let id)? = object["id"], let id = EntityID(id),
      case .string(let time)? = object[StoredPart.time], let time = Instant(time)
    else { return nil }
    (self.object, self.id, updatedAt) = (object, id, time)
  }
}
