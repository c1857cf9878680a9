import ProtocolModel

/// Emits, for the tests, a table of the codecs by type name.
struct SwiftSampleCodecs {
  let specification: Specification

  func emit(into text: inout TextBuilder) {
    text.line("/// Reads a value of a type and writes it again, by the type's name.")
    text.block("enum SampleCodecs {") { text in
      text.block("static func roundTrip(_ type: String, _ json: [UInt8]) throws(JSONError) -> [UInt8]? {") { text in
        text.line("switch type {")
        for domain in specification.domains {
          if domain.isDebugOnly { text.line("#if DEBUG") }
          for type in specification.allTypes(of: domain) {
            text.line("case \"\(type.name)\": try \(type.name)(json: json).json")
          }
          if domain.isDebugOnly { text.line("#endif") }
        }
        text.line("default: nil")
        text.line("}")
      }
    }
  }
}
