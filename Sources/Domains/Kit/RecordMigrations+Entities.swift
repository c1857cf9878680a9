import DaybookProtocol
import FileStore
import JSON
import JSONRPC
import Platform

/// Between records and entities: the one conversion, with the steps from older forms.
extension RecordMigrations {
  /// An entity, to be stored.
  package func put<Entity: CollectionEntity>(
    _ entity: Entity, keeping old: Record?, readAs present: Entity? = nil
  ) throws(RPCError) -> Operation {
    .put(
      Entity.collection, id: entity.id, day: entity.recordDay, schema: schema(of: Entity.collection),
      createdAt: entity.createdAt, updatedAt: entity.updatedAt,
      body: try body(entity, keeping: old, readAs: present))
  }

  /// A body as it is to be stored: the entity, and the members of a later version that the record had.
  ///
  /// - Parameter present: What the record was read as, where the caller has that.
  /// - Throws: `storeReadOnly` when a later version wrote the record in a form that is not known here, of which something would
  ///   be lost.
  package func body<Entity: StoredEntity>(
    _ entity: Entity, keeping old: Record?, readAs present: Entity? = nil
  ) throws(RPCError) -> [UInt8] {
    let body = entity.json
    guard let old else { return body }
    guard !isNewer(old, in: Entity.collection) else {
      throw RPCError(
        .storeReadOnly, "a newer version of daybook wrote this record; this one can read it and not write it",
        hint: "change it with the newer version")
    }
    let text = self.body(of: old, in: Entity.collection)
    if let present, text.withUnsafeBytes({ $0.isSame(as: present.json) }) { return body }
    // What can be read strictly has nothing of a later version's.
    guard !text.withUnsafeBytes({ RecordMigrations.isKnown(Entity.self, $0) }) else { return body }
    let present = try decode(Entity.self, old).json
    guard case .object(let before)? = text.withUnsafeBytes({ try? JSONValue(json: $0) }),
      case .object(let known)? = try? JSONValue(json: present), case .object(var merged)? = try? JSONValue(json: body)
    else { return body }
    var isMerged = false
    for member in before.members {
      // A value in several parts that stays as it was may have parts that are not known here.
      let stays = known[member.name]?.hasParts == true && merged[member.name] == known[member.name]
      guard stays ? member.value != known[member.name] : !Entity.memberNames.contains(member.name) else { continue }
      merged[member.name] = member.value
      isMerged = true
    }
    return isMerged ? JSONValue.object(merged).json : body
  }

  /// The entity a record holds, brought to the present form. Members and values of a later version are passed over.
  package func decode<Entity: StoredEntity>(
    _ type: Entity.Type, _ record: borrowing Record
  ) throws(RPCError) -> Entity {
    try read(type, record, in: Entity.collection)
  }

  /// The same for as much of a record as `type` reads of it.
  package func read<Part: JSONDecodable>(
    _ type: Part.Type, _ record: borrowing Record, in collection: CollectionName
  ) throws(RPCError) -> Part {
    do throws(JSONError) {
      return try body(of: record, in: collection)
        .withUnsafeBytes { text throws(JSONError) in try RecordMigrations.read(type, text) }
    } catch {
      guard !isNewer(record, in: collection) else {
        throw RPCError(
          .storeUnavailable,
          "a newer version of daybook wrote the record \(record.id) in a form that is not known here",
          hint: "use the newer version")
      }
      throw RPCError(
        .storeUnavailable, "the record \(record.id) cannot be read",
        hint: "its text is in the data folder's journal; a copy of the folder may have it whole")
    }
  }

  /// A stored text. Members and values of a later version are passed over.
  package static func read<Part: JSONDecodable>(
    _ type: Part.Type, _ text: UnsafeRawBufferPointer
  ) throws(JSONError) -> Part {
    try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      reader.acceptsUnknownValues = true
      return try Part(from: &reader)
    }
  }

  /// Whether a text has nothing but what an entity is read from.
  private static func isKnown<Entity: StoredEntity>(_ type: Entity.Type, _ text: UnsafeRawBufferPointer) -> Bool {
    (try? JSONReader.read(text) { reader throws(JSONError) in try Entity(from: &reader) }) != nil
  }

  /// The body as it goes over the wire: a record of the present form has that very text.
  package func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    JSONFragment(unchecked: body(of: record, in: Entity.collection).text)
  }
}

extension JSONValue {
  /// Whether it is an object or an array.
  fileprivate var hasParts: Bool {
    switch self {
    case .object, .array: true
    default: false
    }
  }
}
