import JSON
import Platform

/// A step from one stored form of a collection's records to the next. Once it was released it is never changed: a mistake in it
/// is put right by a further step.
package struct RecordMigration: Sendable {
  /// What it does, such as `spell-out-calories`; of its collection no other has this name.
  package let name: String
  /// Makes the next form out of the members of one. Members it does not know stay as they are.
  package let apply: @Sendable (JSONObject) -> JSONObject
  /// The text without which a body stays as it is; nil when any body may have to be changed.
  private let sign: [UInt8]?

  package init(_ name: String, _ apply: @escaping @Sendable (JSONObject) -> JSONObject) {
    self.name = name
    self.apply = apply
    sign = nil
  }

  /// Gives a member another name. Bodies that do not have the member are not even parsed: there may be years of them.
  package init(_ name: String, renaming old: String, to new: String) {
    self.name = name
    apply = { object in
      guard object[new] == nil else { return object }
      return JSONObject(object.members.map { ($0.name == old ? new : $0.name, $0.value) })
    }
    sign = JSONValue.string(old).json
  }

  /// Whether a body may have something to be changed.
  func mayChange(_ body: UnsafeRawBufferPointer) -> Bool {
    sign.map { body.contains(quoted: $0) } ?? true
  }
}

/// The steps of all collections, in order: the first of a collection leads from form 1 to form 2, and so on. Records are brought
/// to the present form when they are read, and keep the form they have until they are written again.
package struct RecordMigrations: Sendable {
  // No dictionary: there are few, and the first dictionary of a kind costs a start more than everything else here.
  private let all: [Steps]

  /// The steps of one collection, in order.
  package struct Steps: Sendable {
    let collection: CollectionName
    let steps: [RecordMigration]

    /// - Parameter steps: The first leads from form 1 to form 2, and so on.
    package init(_ collection: CollectionName, _ steps: RecordMigration...) {
      (self.collection, self.steps) = (collection, steps)
    }
  }

  /// The steps by their collections, each of which is there once.
  package init(_ steps: Steps...) { all = steps }

  /// The collections that have steps, in order of their names.
  package var collections: [CollectionName] { all.map(\.collection).sorted { $0.rawValue < $1.rawValue } }

  /// The steps of a collection, in order.
  package func steps(of collection: CollectionName) -> [RecordMigration] {
    for known in all where known.collection == collection { return known.steps }
    return []
  }

  /// The number of a collection's present form.
  package func schema(of collection: CollectionName) -> Int { steps(of: collection).count + 1 }

  /// Whether a record has a form that is not known here, since a later version wrote it.
  package func isNewer(_ record: Record, in collection: CollectionName) -> Bool {
    record.schema > schema(of: collection)
  }

  /// The body of a record in the present form: its own if it has that, or a later one. Of an older one whose body is no object,
  /// its own too.
  package func body(of record: Record, in collection: CollectionName) -> RecordBody {
    let present = record.body.withUnsafeBytes { presentForm(of: $0, schema: record.schema, in: collection) }
    return present.map { RecordBody($0[...]) } ?? record.body
  }

  /// Whether a body of the form `schema` is as it would be in the present form.
  package func isPresentForm(_ body: UnsafeRawBufferPointer, schema: Int, in collection: CollectionName) -> Bool {
    let steps = steps(of: collection)
    guard schema <= steps.count else { return schema == steps.count + 1 }
    return !steps[(max(1, schema) - 1)...].contains { $0.mayChange(body) }
  }

  /// A body of the form `schema` in the present form; nil when there is nothing to be done, as with the present form itself, a later
  /// one, one that the steps leave as it is, or a body that is no object.
  package func presentForm(of body: UnsafeRawBufferPointer, schema: Int, in collection: CollectionName) -> [UInt8]? {
    let steps = steps(of: collection)
    let first = max(1, schema)
    guard first <= steps.count, !isPresentForm(body, schema: schema, in: collection),
      case .object(var object)? = try? JSONValue(json: body)
    else { return nil }
    for step in steps[(first - 1)...] { object = step.apply(object) }
    return JSONValue.object(object).json
  }
}
