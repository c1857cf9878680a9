import JSON
import ProtocolModel

/// Emits how collections are synced, as switches: data that costs nothing until somebody asks.
extension SwiftCollections {
  func emitMerging(into text: inout TextBuilder) {
    text.line()
    text.block("extension CollectionDeclaration {") { text in
      text.line("/// How the versions of a record from several devices become one.")
      emit("merging: MergeDeclaration", usual: ".whole", into: &text) { merging($0, $1.merging) }
      text.line()
      text.line("/// Its priority in sync, 1 to \(Collection.usualSyncPriority); lower goes first.")
      emit("syncPriority: Int", usual: "\(Collection.usualSyncPriority)", into: &text) { "\($1.syncPriority)" }
      text.line()
      text.line("/// The members that stay on the device.")
      emit("localMembers: [String]", usual: "[]", into: &text) { type, _ in
        "[\(type.members.filter(\.isLocal).map { "\"\($0.name)\"" }.joined(separator: ", "))]"
      }
    }
  }

  /// Emits a property with a case for all collections that share a value, in the order of the first of them.
  private func emit(
    _ property: String, usual: String, into text: inout TextBuilder,
    _ value: (TypeDefinition, Collection) -> String
  ) {
    var groups: [(value: String, collections: [String])] = []
    for (type, collection) in entities {
      let value = value(type, collection)
      guard value != usual else { continue }
      if let index = groups.firstIndex(where: { $0.value == value }) {
        groups[index].collections.append(".\(collection.name)")
      } else {
        groups.append((value, [".\(collection.name)"]))
      }
    }
    guard !groups.isEmpty else { return text.line("package var \(property) { \(usual) }") }
    text.switchBlock("package var \(property) {", over: "domain", default: usual) { text in
      for group in groups { text.line("case \(group.collections.joined(separator: ", ")): \(group.value)") }
    }
  }

  /// A value of `MergeDeclaration`.
  private func merging(_ type: TypeDefinition, _ merging: Collection.Merging) -> String {
    switch merging {
    case .whole: return ".whole"
    case .mirrored: return ".mirrored"
    case .never: return ".never"
    case .byMember(let defaults, let groups):
      let json = JSONValue.object(JSONObject(defaults.map { ($0.name, $0.value) })).json
      return ".byMember(defaults: ##\"\(String(decoding: json, as: UTF8.self))\"##, groups: \(list(groups.map(group))))"
    case .byPart(let lists):
      return ".byPart(\(list(lists.map { part(type, $0.name, key: $0.key) })))"
    }
  }

  private func group(_ group: Collection.Group) -> String {
    let derivation = group.derivation.map { ", derivedWhen: \"\($0.member)\", is: \"\($0.value)\"" } ?? ""
    return "MemberGroup(\(list(group.names.map { "\"\($0)\"" }))\(derivation))"
  }

  private func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

  private func part(_ type: TypeDefinition, _ name: String, key: String) -> String {
    let member = type.members.first { $0.name == name }
    var marks = member?.isOptional == true ? ", isOptional: true" : ""
    let part = member?.type.reference.flatMap { specification.type(named: $0) }
    // Days have an order of their own.
    if part?.members.first(where: { $0.name == key })?.type == .scalar(.date) { marks += ", isSortedByKey: true" }
    return "PartList(\"\(name)\", key: \"\(key)\"\(marks))"
  }
}
