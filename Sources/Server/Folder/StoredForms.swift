import DomainKit
import SettingsDocument
import SyncEngine

/// The forms of the records of known collections.
package enum StoredForms {
  private static let entities: [CollectionName: any CheckedEntity.Type] = Dictionary(
    uniqueKeysWithValues: (StoredEntities.all + Services.types.flatMap { $0.internalEntities }).map {
      ($0.collection, $0)
    })

  /// The problem with a record to import; nil when there is none, or when the collection is unknown.
  package static func problem(_ candidate: borrowing ImportCandidate) -> StoreImportProblem? {
    guard let type = entities[candidate.collection] else { return nil }
    let known = RecordMigrations.daybook.schema(of: candidate.collection)
    guard candidate.schema <= known else {
      return StoreImportProblem(
        pointer: "/schema", reason: "a newer version of this program wrote it; this one knows \(known)")
    }
    return problem(type, candidate)
  }

  /// How much this version understands of a record's body that another device has sent.
  static func understanding(of body: [UInt8], schema: Int, in collection: CollectionName) -> Understanding {
    guard let type = entities[collection] else { return .whole }
    return body.withUnsafeBytes { body in
      let present = RecordMigrations.daybook.presentForm(of: body, schema: schema, in: collection)
      if (try? entity(type, present, body)) != nil { return .whole }
      return (present ?? Array(body)).withUnsafeBytes { isReadByMember(type, $0) } ? .partial : .none
    }
  }

  private static func isReadByMember<Entity: CheckedEntity>(
    _ type: Entity.Type, _ body: UnsafeRawBufferPointer
  ) -> Bool {
    RecordMigrations.read(type, ofMembersIn: body, of: type.collection) != nil
  }

  private static func problem<Entity: CheckedEntity>(
    _ type: Entity.Type, _ candidate: borrowing ImportCandidate
  ) -> StoreImportProblem? {
    let present = RecordMigrations.daybook.presentForm(
      of: candidate.body, schema: candidate.schema, in: candidate.collection)
    do throws(JSONError) {
      let entity = try entity(type, present, candidate.body)
      return (entity.recordMismatch(in: candidate) ?? entity.problem)
        .map { StoreImportProblem(pointer: $0.pointer, reason: $0.message) }
    } catch {
      let pointer = present.map { $0.withUnsafeBytes { error.pointer(in: $0) } } ?? error.pointer(in: candidate.body)
      return StoreImportProblem(pointer: "/body" + pointer, reason: error.description)
    }
  }

  private static func entity<Entity: CheckedEntity>(
    _ type: Entity.Type, _ present: [UInt8]?, _ body: UnsafeRawBufferPointer
  ) throws(JSONError) -> Entity {
    guard let present else { return try RecordMigrations.read(type, body) }
    return try RecordBody(present[...]).withUnsafeBytes { text throws(JSONError) in
      try RecordMigrations.read(type, text)
    }
  }
}

extension Settings: CheckedEntity {
  /// The problem with measures that differ from what was typed.
  package var problem: Refusal? {
    TypedMeasures.problem(in: self)?.inside("/body")
  }
}

extension OnboardingRecord: CheckedEntity {}
