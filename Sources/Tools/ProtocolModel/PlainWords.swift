import JSON

/// A plain operation on an entity of a collection.
package enum PlainVerb: String, Sendable, CaseIterable {
  case add, update, delete, get, list

  var isRead: Bool { self == .get || self == .list }

  /// The errors of such a request.
  var errors: [String] {
    let reads = ["serverNotInitialized", "invalidParams"]
    let writes = ["storeBusy", "storeReadOnly", "diskFull", "storeUnavailable"]
    return switch self {
    case .add: reads + ["conflict"] + writes
    case .update, .delete: reads + ["notFound", "conflict"] + writes
    case .get: reads + ["notFound", "storeUnavailable"]
    case .list: reads + ["storeUnavailable"]
    }
  }
}

/// The texts that describe the plain requests of a collection.
struct PlainWords {
  /// The members of an entity that clients do not set as content.
  static let own: Set<String> = ["id", "day", "zone", "createdAt", "updatedAt"]

  private let type: String
  private let collection: Collection

  init(_ entity: SourceNode) throws(SpecificationError) {
    type = try entity.string("name")
    collection = try Collection(entity.required("collection"))
  }

  private var noun: String { collection.noun }
  private var plural: String { collection.plural }
  private var isDated: Bool { collection.isDated }
  private var article: String { noun.first.map { "aeiou".contains($0) } ?? false ? "an" : "a" }

  /// The plural, capitalized.
  var capitalized: String { plural.prefix(1).uppercased() + plural.dropFirst() }

  func doc(of verb: PlainVerb) -> String {
    switch verb {
    case .add:
      return
        "Adds \(article) \(noun). With an `id` made by the client it can be repeated safely: if it exists and has everything "
        + "the request states, nothing changes."
    case .update:
      return "Changes the given members; null clears an optional one. Identical content changes nothing."
    case .delete: return "Deletes \(article) \(noun)."
    case .get: return "One \(noun)."
    case .list:
      let which =
        isDated
        ? "\(capitalized) of a day, of a range of days, or all; newest first: by day, then by creation time, then by id."
        : "All \(plural), newest first: by creation time, then by id."
      return which + " Every page but the last has a `nextCursor`, which stays valid when others are added or deleted."
    }
  }

  /// The params of every such request, in order.
  func params(of verb: PlainVerb) -> [JSONValue] {
    let optional = ("optional", JSONValue.bool(true))
    let day = PlainWords.member(
      "day", "date", verb == .add ? PlainWords.selectedDay : "The day it counts for.", optional)
    let cause = verb == .delete ? "decision" : "edit"
    switch verb {
    case .add:
      let id = PlainWords.member("id", "id", "The id to use; generated when absent.", optional)
      return isDated ? [id, day] : [id]
    case .update, .delete:
      let base = PlainWords.member(
        "revision", "int", "The revision the \(cause) is based on; `conflict` if the \(noun) changed since.", optional,
        ("minimum", PlainWords.number(0)))
      let id = PlainWords.member("id", "id", "The \(noun).")
      return isDated && verb == .update ? [id, base, day] : [id, base]
    case .get: return [PlainWords.member("id", "id", "The \(noun).")]
    case .list:
      let days =
        isDated
        ? [
          PlainWords.member("day", "date", "This day only; not together with `from` or `to`.", optional),
          PlainWords.member("from", "date", "The first day.", optional),
          PlainWords.member("to", "date", "The last day, inclusive.", optional),
        ] : []
      return days + [
        PlainWords.member(
          "limit", "int", "At most this many (1000).", optional, ("minimum", PlainWords.number(1)),
          ("maximum", PlainWords.number(10000))),
        PlainWords.member(
          "cursor", "string", "The `nextCursor` of the previous page.", optional, ("maxLength", PlainWords.number(200))),
      ]
    }
  }

  /// The members of the result, in order.
  func result(of verb: PlainVerb) -> [JSONValue] {
    let fragment = ("fragment", JSONValue.bool(true))
    let stored = PlainWords.member(collection.member, type, "The \(noun) as stored.")
    let revision = PlainWords.member(
      "revision", "int", "The store's revision.", ("minimum", PlainWords.number(verb == .delete ? 1 : 0)))
    switch verb {
    case .add:
      let created = PlainWords.member(
        "created", "bool", "Whether it is new; `false` when it already existed with this content.")
      return [stored, created, revision]
    case .update: return [stored, revision]
    case .delete: return [PlainWords.member(collection.member, type, "The deleted \(noun)."), revision]
    case .get: return [PlainWords.member(collection.member, type, "The \(noun).", fragment), revision]
    case .list:
      let next = PlainWords.member(
        "nextCursor", "string", "The start of the next page; absent on the last.", ("optional", .bool(true)))
      return [PlainWords.member(collection.members, "array<\(type)>", "The \(plural).", fragment), next, revision]
    }
  }

  private static let selectedDay = "The day it counts for; the connection's selected day when absent."

  static func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }

  static func member(_ name: String, _ type: String, _ doc: String, _ more: (String, JSONValue)...) -> JSONValue {
    .object(JSONObject([("name", .string(name)), ("type", .string(type))] + more + [("doc", .string(doc))]))
  }
}
