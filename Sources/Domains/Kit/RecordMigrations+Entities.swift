import DaybookProtocol
import FileStore
import JSON
import JSONRPC

/// Between records and entities: the one conversion, with the steps from older forms.
extension RecordMigrations {
  /// An entity, to be stored.
  package func put<Entity: CollectionEntity>(_ entity: Entity, keeping old: Record?) throws(RPCError) -> Operation {
    .put(
      Entity.collection, id: entity.id, day: entity.recordDay, schema: schema(of: Entity.collection),
      createdAt: entity.createdAt, updatedAt: entity.updatedAt, body: try body(entity, keeping: old))
  }

  /// A body as it is to be stored: the entity, and the members of a later version that the record had.
  ///
  /// - Throws: `storeReadOnly` when a later version wrote the record in a form that is not known here, of which something would
  ///   be lost.
  package func body<Entity: StoredEntity>(_ entity: Entity, keeping old: Record?) throws(RPCError) -> [UInt8] {
    let body = entity.json
    guard let old else { return body }
    guard !isNewer(old, in: Entity.collection) else {
      throw RPCError(
        .storeReadOnly, "a newer version of daybook wrote this record; this one can read it and not write it",
        hint: "change it with the newer version")
    }
    let text = self.body(of: old, in: Entity.collection)
    guard case .object(let before)? = text.withUnsafeBytes({ try? JSONValue(json: $0) }),
      before.members.contains(where: { !Entity.memberNames.contains($0.name) }),
      case .object(var merged)? = try? JSONValue(json: body)
    else { return body }
    for member in before.members where !Entity.memberNames.contains(member.name) { merged[member.name] = member.value }
    return JSONValue.object(merged).json
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

  /// The body as it goes over the wire: a record of the present form has that very text.
  package func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    JSONFragment(unchecked: body(of: record, in: Entity.collection).text)
  }
}
