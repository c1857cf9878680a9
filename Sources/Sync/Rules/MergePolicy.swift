import CollectionTables
import JSON

/// How two versions of a record are merged.
package enum MergePolicy: Sendable, Equatable {
  /// The greater version wins as a whole.
  case whole
  /// Each member or group of members by itself. A member that never changed has no time, and gives way to one that did;
  /// `defaults` are the values of such members, without those whose default is to be absent.
  case byMember(defaults: JSONObject, groups: [MemberGroup] = [])
  /// The elements of some lists by themselves, and all other members as one block.
  case byPart(lists: [PartList])
}

extension PartList {
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
