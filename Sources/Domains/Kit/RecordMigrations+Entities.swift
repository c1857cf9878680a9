import DaybookProtocol
import FileStore
import JSONRPC
import Platform

/// Conversion between records and entities, including migration from older forms.
extension RecordMigrations {
  /// The body to store for an entity: its JSON, and the members of a later version that the old record has.
  ///
  /// - Parameter present: The entity decoded from the old record, if the caller has it.
  /// - Throws: `storeReadOnly` when a later version wrote the record in an unknown form, so that rewriting it would
  ///   lose data.
  package func body<Entity: StoredEntity>(
    _ entity: Entity, keeping old: Record?, readAs present: Entity? = nil
  ) throws(RPCError) -> [UInt8] {
    let body = entity.json
    guard let old else { return body }
    guard !isNewer(old, in: Entity.collection) else {
      throw RPCError(
        .storeReadOnly, "a newer version of daybook wrote this record; this version can only read it",
        hint: "change it with the newer version")
    }
    let text = self.body(of: old, in: Entity.collection)
    if let present, text.withUnsafeBytes({ $0.isSame(as: present.json) }) { return body }
    // Text that decodes strictly has no members of a later version.
    guard !text.withUnsafeBytes({ RecordMigrations.isKnown(Entity.self, $0) }) else { return body }
    let present = try decode(Entity.self, old).json
    guard case .object(let before)? = text.withUnsafeBytes({ try? JSONValue(json: $0) }),
      case .object(let known)? = try? JSONValue(json: present), case .object(var merged)? = try? JSONValue(json: body)
    else { return body }
    var isMerged = false
    for member in before.members {
      // An unchanged object or array may contain members of a later version, and an unchanged value may stand for one
      // that this version cannot read.
      let stays = merged[member.name] == known[member.name]
      guard stays ? member.value != known[member.name] : !Entity.memberNames.contains(member.name) else { continue }
      merged[member.name] = member.value
      isMerged = true
    }
    return isMerged ? JSONValue.object(merged).json : body
  }

  /// Decodes the entity in a record after migrating it. Ignores members and values of later versions.
  package func decode<Entity: StoredEntity>(
    _ type: Entity.Type, _ record: borrowing Record
  ) throws(RPCError) -> Entity {
    try read(type, record, in: Entity.collection)
  }

  /// Decodes the entity in a record; warns and returns nil when that fails, as for a form that only a later version knows.
  package func readable<Entity: CollectionEntity>(
    _ type: Entity.Type, _ record: borrowing Record, warn: (String) -> Void
  ) -> Entity? {
    do throws(RPCError) { return try decode(type, record) } catch {
      warn("skipped \(Entity.nounWithArticle): \(error.message)")
      return nil
    }
  }

  /// Decodes those members of a record that `type` declares.
  package func read<Part: JSONDecodable>(
    _ type: Part.Type, _ record: borrowing Record, in collection: CollectionName
  ) throws(RPCError) -> Part {
    let text = body(of: record, in: collection)
    do throws(JSONError) {
      return try text.withUnsafeBytes { text throws(JSONError) in try RecordMigrations.read(type, text) }
    } catch {
      if let part = text.withUnsafeBytes({ RecordMigrations.read(type, ofMembersIn: $0, of: collection) }) {
        return part
      }
      guard !isNewer(record, in: collection) else {
        throw RPCError(
          .storeUnavailable,
          "a newer version of daybook wrote the record \(record.id) in an unknown form",
          hint: "use the newer version")
      }
      throw RPCError(
        .storeUnavailable, "the record \(record.id) cannot be read",
        hint: "its text is in the data folder's journal; a backup of the folder may have it intact")
    }
  }

  /// Decodes the text of the only record of a collection that is merged by member, with the default of each member that
  /// cannot be read: it may come from a later version on another device, and the others stay in force. Nil for other
  /// collections, for a member that only this device sets, and if defaults do not help.
  package static func read<Part: JSONDecodable>(
    _ type: Part.Type, ofMembersIn text: UnsafeRawBufferPointer, of collection: CollectionName
  ) -> Part? {
    guard let declaration = Collections.declaration(of: collection), declaration.isSingle,
      case .byMember(let generated, _) = declaration.merging, case .object(var object)? = try? JSONValue(json: text)
    else { return nil }
    let defaults = JSONObject(generated: generated)
    for _ in 0...object.members.count {
      let text = RecordBody(JSONValue.object(object).json[...])
      do throws(JSONError) {
        return try text.withUnsafeBytes { text throws(JSONError) in try read(type, text) }
      } catch {
        let pointer = text.withUnsafeBytes { error.pointer(in: $0) }
        guard let name = pointer.split(separator: "/").first.map(String.init), object[name] != defaults[name],
          !declaration.localMembers.contains(name)
        else { return nil }
        object[name] = defaults[name]
      }
    }
    return nil
  }

  /// Decodes a stored text. Ignores members and values of later versions.
  package static func read<Part: JSONDecodable>(
    _ type: Part.Type, _ text: UnsafeRawBufferPointer
  ) throws(JSONError) -> Part {
    try JSONReader.read(text) { reader throws(JSONError) in
      reader.refusesUnknownMembers = false
      reader.acceptsUnknownValues = true
      return try Part(from: &reader)
    }
  }

  /// Whether a text decodes strictly.
  private static func isKnown<Entity: StoredEntity>(_ type: Entity.Type, _ text: UnsafeRawBufferPointer) -> Bool {
    (try? JSONReader.read(text) { reader throws(JSONError) in try Entity(from: &reader) }) != nil
  }

  /// The body in its wire form. A record in the current form is used unchanged.
  package func fragment<Entity: StoredEntity>(_ record: borrowing Record) -> JSONFragment<Entity> {
    JSONFragment(unchecked: body(of: record, in: Entity.collection).text)
  }
}
