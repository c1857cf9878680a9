import JSON

/// A step from one stored form of a collection's records to the next. Once it was released it is never changed: a mistake in it
/// is put right by a further step.
package struct RecordMigration: Sendable {
  /// What it does, such as `spell-out-calories`; of its collection no other has this name.
  package let name: String
  /// Makes the next form out of the members of one. Members it does not know stay as they are.
  package let apply: @Sendable (JSONObject) -> JSONObject

  package init(_ name: String, _ apply: @escaping @Sendable (JSONObject) -> JSONObject) {
    self.name = name
    self.apply = apply
  }
}

/// The steps of all collections, in order: the first of a collection leads from form 1 to form 2, and so on. Records are brought
/// to the present form when they are read, and keep the form they have until they are written again.
package struct RecordMigrations: Sendable {
  // No dictionary: there are few, and the first dictionary of a kind costs a start more than everything else here.
  private let steps: KeyValuePairs<CollectionName, [RecordMigration]>

  /// The steps by their collections, each of which is there once.
  package init(_ steps: KeyValuePairs<CollectionName, [RecordMigration]> = [:]) { self.steps = steps }

  /// The collections that have steps, in order of their names.
  package var collections: [CollectionName] { steps.map(\.key).sorted { $0.rawValue < $1.rawValue } }

  /// The steps of a collection, in order.
  package func steps(of collection: CollectionName) -> [RecordMigration] {
    steps.first { $0.key == collection }?.value ?? []
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

  /// A body of the form `schema` in the present form; nil when there is nothing to be done, as with the present form itself, a later
  /// one, or a body that is no object.
  package func presentForm(of body: UnsafeRawBufferPointer, schema: Int, in collection: CollectionName) -> [UInt8]? {
    let steps = steps(of: collection)
    let first = max(1, schema)
    guard first <= steps.count, case .object(var object)? = try? JSONValue(json: body) else { return nil }
    for step in steps[(first - 1)...] { object = step.apply(object) }
    return JSONValue.object(object).json
  }
}
