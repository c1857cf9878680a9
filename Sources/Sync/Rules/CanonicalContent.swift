import FileStore
import JSON

/// The one text of a value on every device, for hashes and comparisons: members sorted by the bytes of their names, no
/// white space, only the escapes that JSON demands.
enum CanonicalContent {
  /// The members of a record, and of a part of one, that say when and how it was stored, and not what it is.
  private static let stamps: Set<String> = ["updatedAt", "syncedAt"]

  /// The text of a value.
  static func text(of value: JSONValue) -> [UInt8] { sorted(value).json }

  /// The SHA-256 of that text.
  static func hash(of value: JSONValue) -> SHA256Digest { text(of: value).withUnsafeBytes { SHA256.hash($0) } }

  /// An object without its stamps.
  static func unstamped(_ object: JSONObject) -> JSONObject {
    JSONObject(object.members.filter { !stamps.contains($0.name) })
  }

  private static func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      // By bytes: the order of Swift's strings depends on the version of Unicode.
      let members = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return .object(JSONObject(members.map { ($0.name, sorted($0.value)) }))
    case .array(let values): return .array(values.map(sorted))
    default: return value
    }
  }
}
