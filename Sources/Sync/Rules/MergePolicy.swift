import JSON

/// How two versions of a record are merged.
package enum MergePolicy: Sendable, Equatable {
  /// The greater version wins as a whole.
  case whole
  /// Each member by itself. A member that never changed has no time, and gives way to one that did; `defaults` are the
  /// values of such members, without those whose default is to be absent.
  case byMember(defaults: JSONObject)
  /// The elements of some lists by themselves, and all other members as one block.
  case byPart(lists: [PartList])
}

/// A member whose value is a list of parts.
package struct PartList: Sendable, Equatable {
  /// The member's name, such as `exercises`.
  package let name: String
  /// The member that identifies a part within the list, such as `id`.
  package let key: String

  /// Whether the member is absent when the list is empty.
  package let isOptional: Bool
  /// Whether the parts are ordered by their keys, and not by the user.
  package let isSortedByKey: Bool

  package init(_ name: String, key: String, isOptional: Bool = false, isSortedByKey: Bool = false) {
    self.name = name
    self.key = key
    self.isOptional = isOptional
    self.isSortedByKey = isSortedByKey
  }

  /// The parts of a body by their keys, in order; nil if a part has no key of its own. Such a list belongs to the block.
  func parts(of body: JSONObject) -> [(key: String, part: JSONObject)]? {
    guard let member = body[name] else { return [] }
    guard case .array(let elements) = member else { return nil }
    var keys: Set<String> = []
    var parts: [(key: String, part: JSONObject)] = []
    for element in elements {
      guard case .object(let part) = element, case .string(let key)? = part[key], keys.insert(key).inserted else {
        return nil
      }
      parts.append((key, part))
    }
    return parts
  }
}
