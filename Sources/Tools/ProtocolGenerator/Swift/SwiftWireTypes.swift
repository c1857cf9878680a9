import ProtocolModel

/// Emits a table of all types that cross the wire, by name.
struct SwiftWireTypes {
  let specification: Specification

  func emit(into text: inout TextBuilder) {
    text.line("/// Every struct and enumeration of the protocol, by its name.")
    text.block("package enum WireTypes {") { text in
      text.line("/// The type of that name; nil when this build has none.")
      text.switchBlock(
        "package static func named(_ name: String) -> (any (JSONDecodable & JSONEncodable).Type)? {", over: "name",
        default: "nil"
      ) { text in
        for domain in specification.domains {
          if domain.isDebugOnly { text.line("#if DEBUG") }
          for type in specification.allTypes(of: domain) { text.line("case \"\(type.name)\": \(type.name).self") }
          if domain.isDebugOnly { text.line("#endif") }
        }
      }
    }
  }
}
