import JSON
import Platform

/// A step from one stored form of a collection's records to the next. Once released it never changes: a mistake is
/// corrected by a further step.
package struct RecordMigration: Sendable {
  /// What it does, such as `spell-out-calories`; unique within its collection.
  package let name: String
  /// Converts a body's members to the next form. Unknown members stay as they are.
  package let apply: @Sendable (JSONObject) -> JSONObject
  /// A text without which a body stays unchanged; nil when any body may change.
  private let sign: [UInt8]?

  package init(_ name: String, _ apply: @escaping @Sendable (JSONObject) -> JSONObject) {
    self.name = name
    self.apply = apply
    sign = nil
  }

  /// Renames a member. Bodies without the member are not even parsed: there may be years of them.
  package init(_ name: String, renaming old: String, to new: String) {
    self.name = name
    apply = { object in
      guard object[new] == nil else { return object }
      return JSONObject(object.members.map { ($0.name == old ? new : $0.name, $0.value) })
    }
    sign = JSONValue.string(old).json
  }

  /// Whether it may change a body.
  func mayChange(_ body: UnsafeRawBufferPointer) -> Bool {
    sign.map { body.contains(quoted: $0) } ?? true
  }
}

/// The steps of all collections, in order: the first of a collection leads from form 1 to form 2, and so on. Records
/// are converted to the present form when they are read, and keep their form until they are written again.
package struct RecordMigrations: Sendable {
  // Not a dictionary: there are few, and the first dictionary of a type costs a start more than everything else here.
  private let all: [Steps]

  package struct Steps: Sendable {
    let collection: CollectionName
    let steps: [RecordMigration]

    /// - Parameter steps: The first leads from form 1 to form 2, and so on.
    package init(_ collection: CollectionName, _ steps: RecordMigration...) {
      (self.collection, self.steps) = (collection, steps)
    }
  }

  /// Each collection occurs once.
  package init(_ steps: Steps...) { all = steps }

  /// Each collection occurs once.
  package init(_ steps: [Steps]) { all = steps }

  package var collections: [CollectionName] { all.map(\.collection).sorted { $0.rawValue < $1.rawValue } }

  package func steps(of collection: CollectionName) -> [RecordMigration] {
    for known in all where known.collection == collection { return known.steps }
    return []
  }

  package func schema(of collection: CollectionName) -> Int { steps(of: collection).count + 1 }

  /// Whether a later version wrote a record, so that its form is unknown here.
  package func isNewer(_ record: Record, in collection: CollectionName) -> Bool {
    record.schema > schema(of: collection)
  }

  /// A record's body in the present form; unchanged if it has that form or a later one, or is no object.
  package func body(of record: Record, in collection: CollectionName) -> RecordBody {
    let present = record.body.withUnsafeBytes { presentForm(of: $0, schema: record.schema, in: collection) }
    return present.map { RecordBody($0[...]) } ?? record.body
  }

  /// Whether a body of the form `schema` is the same in the present form.
  package func isPresentForm(_ body: UnsafeRawBufferPointer, schema: Int, in collection: CollectionName) -> Bool {
    let steps = steps(of: collection)
    guard schema <= steps.count else { return schema == steps.count + 1 }
    return !steps[(max(1, schema) - 1)...].contains { $0.mayChange(body) }
  }

  /// A body of the form `schema` converted to the present form; nil when it needs no change, has a later form, or is
  /// no object.
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
