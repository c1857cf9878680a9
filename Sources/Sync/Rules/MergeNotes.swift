import CivilTime
import JSON

/// When the pieces of a record last changed, where the record itself does not say so. Notes are stored beside the
/// record, and travel with it.
package struct MergeNotes: Hashable, Sendable {
  /// The notes on one list of parts.
  package struct List: Hashable, Sendable {
    /// When the order was last set.
    package var orderedAt: Instant?
    /// The keys in that order, including those of parts that are gone.
    package var order: [String] = []
    /// When the parts without a time of their own were last changed.
    package var parts: [String: Instant] = [:]
    /// When parts that are gone were removed.
    package var removed: [String: Instant] = [:]

    package init() {}
  }

  /// `byMember`: when each member last changed. A member that the record lacks was removed then.
  package var members: [String: Instant] = [:]
  /// `byPart`: when the block of the other members last changed.
  package var block: Instant?
  /// `byPart`: the lists, by name.
  package var lists: [String: List] = [:]

  package init() {}
}

extension MergeNotes {
  private enum Name {
    static let (members, block, lists) = ("members", "block", "lists")
    static let (orderedAt, order, parts, removed) = ("orderedAt", "order", "parts", "removed")
  }

  package var json: JSONObject {
    var object = JSONObject()
    if !members.isEmpty { object[Name.members] = MergeNotes.json(members) }
    object[Name.block] = block.map(MergeNotes.json)
    if !lists.isEmpty {
      object[Name.lists] = .object(
        JSONObject(lists.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.json)) }))
    }
    return object
  }

  /// Reads what `json` writes; nil for anything else.
  package init?(_ object: JSONObject) {
    var isRead = true
    members = MergeNotes.instants(object[Name.members], &isRead)
    block = MergeNotes.instant(object[Name.block], &isRead)
    if case .object(let lists)? = object[Name.lists] {
      for (name, value) in lists.members {
        guard case .object(let list) = value else { return nil }
        self.lists[name] = List(list, &isRead)
      }
    } else if object[Name.lists] != nil {
      return nil
    }
    guard isRead else { return nil }
  }

  private static func json(_ instant: Instant) -> JSONValue { .string("\(instant)") }

  private static func json(_ instants: [String: Instant]) -> JSONValue {
    .object(JSONObject(instants.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) }))
  }

  private static func instant(_ value: JSONValue?, _ isRead: inout Bool) -> Instant? {
    guard let value else { return nil }
    guard case .string(let text) = value, let instant = Instant(text) else {
      isRead = false
      return nil
    }
    return instant
  }

  private static func instants(_ value: JSONValue?, _ isRead: inout Bool) -> [String: Instant] {
    guard let value else { return [:] }
    guard case .object(let object) = value else {
      isRead = false
      return [:]
    }
    return object.members.reduce(into: [:]) { $0[$1.name] = instant($1.value, &isRead) }
  }
}

extension MergeNotes.List {
  fileprivate var json: JSONObject {
    var object = JSONObject()
    object[MergeNotes.Name.orderedAt] = orderedAt.map(MergeNotes.json)
    if !order.isEmpty { object[MergeNotes.Name.order] = .array(order.map { .string($0) }) }
    if !parts.isEmpty { object[MergeNotes.Name.parts] = MergeNotes.json(parts) }
    if !removed.isEmpty { object[MergeNotes.Name.removed] = MergeNotes.json(removed) }
    return object
  }

  fileprivate init(_ object: JSONObject, _ isRead: inout Bool) {
    orderedAt = MergeNotes.instant(object[MergeNotes.Name.orderedAt], &isRead)
    parts = MergeNotes.instants(object[MergeNotes.Name.parts], &isRead)
    removed = MergeNotes.instants(object[MergeNotes.Name.removed], &isRead)
    if case .array(let keys)? = object[MergeNotes.Name.order] {
      for key in keys {
        if case .string(let key) = key { order.append(key) } else { isRead = false }
      }
    } else if object[MergeNotes.Name.order] != nil {
      isRead = false
    }
  }
}
