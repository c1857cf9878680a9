import DaybookProtocol
import JSON
import Values

/// What a plan says, as equal text for equal content.
package enum PlanContent {
  /// Members that are no content: identities of its own, and instants.
  private static let left: Set<String> = ["id", "createdAt", "updatedAt"]

  /// Members with text of the user's. Other text that reads as a number is one.
  private static let free: Set<String> = [
    "name", "originalName", "programName", "note", "text", "aliases", "unit", "importedFrom",
  ]

  /// The content of a module, a workout or another entity.
  package static func text(of plan: some JSONEncodable) -> [UInt8] {
    text(of: (try? JSONValue(json: plan.json)) ?? .null)
  }

  /// The content of a value.
  static func text(of value: JSONValue) -> [UInt8] {
    var supersets: [String] = []
    return canonical(value, "", &supersets).json
  }

  /// The value of a member with sorted members, without those that are no content and without zeros at the ends of decimals; supersets
  /// are numbered in order of appearance.
  private static func canonical(_ value: JSONValue, _ name: String, _ supersets: inout [String]) -> JSONValue {
    switch value {
    case .array(let elements):
      var kept: [JSONValue] = []
      for element in elements { kept.append(canonical(element, name, &supersets)) }
      return .array(kept)
    case .object(let object) where name != "extra":
      var members: [JSONObject.Member] = []
      for member in object.members.sorted(by: { $0.name < $1.name }) where !left.contains(member.name) {
        members.append((member.name, canonical(member.value, member.name, &supersets)))
      }
      return .object(JSONObject(members))
    case .object(let extra): return .object(JSONObject(extra.members.sorted { $0.name < $1.name }))
    case .string(let superset) where name == "supersetId":
      if !supersets.contains(superset) { supersets.append(superset) }
      return .string("\(supersets.firstIndex(of: superset) ?? 0)")
    case .string(let text) where !free.contains(name):
      return .string(Decimal(text).map { "\($0.normalized)" } ?? text)
    default: return value
    }
  }
}
