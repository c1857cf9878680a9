import JSON
import ProtocolModel

/// Emits the OpenRPC document as constant text, so that `rpc.discover` costs a copy and the start nothing.
struct SwiftOpenRPC {
  let specification: Specification

  func emit(into text: inout TextBuilder) {
    let export = OpenRPC(specification: specification)
    text.line("/// The protocol as an OpenRPC document, in pieces of JSON text.")
    text.block("package enum OpenRPCDocument {") { text in
      text.line("/// Appends the document as this build has it.")
      text.block("package static func encode(to writer: inout JSONWriter) {") { text in
        text.line("writer.append(head)")
        for (index, domain) in specification.domains.enumerated() {
          if domain.isDebugOnly { text.line("#if DEBUG") }
          if index > 0 { text.line("writer.append(\",\" as StaticString)") }
          text.line("writer.append(\(domain.name)Methods)")
          if domain.isDebugOnly { text.line("#endif") }
        }
        text.line("writer.append(\"],\\\"components\\\":{\\\"errors\\\":\" as StaticString)")
        text.line("writer.append(errors)")
        text.line("writer.append(\",\\\"schemas\\\":{\" as StaticString)")
        var isFirst = true
        for domain in specification.domains where !export.schemas(of: domain).members.isEmpty {
          if domain.isDebugOnly { text.line("#if DEBUG") }
          if !isFirst { text.line("writer.append(\",\" as StaticString)") }
          isFirst = false
          text.line("writer.append(\(domain.name)Schemas)")
          if domain.isDebugOnly { text.line("#endif") }
        }
        text.line("writer.append(\"}}}\" as StaticString)")
      }
      text.line()
      var head = String(decoding: JSONValue.object(export.head).json, as: UTF8.self)
      head.removeLast()
      text.line("private static let head: StaticString = ##\"\(head),\"methods\":[\"##")
      text.line(
        "private static let errors: StaticString = ##\"\(String(decoding: export.errors.json, as: UTF8.self))\"##")
      for domain in specification.domains {
        if domain.isDebugOnly { text.line("#if DEBUG") }
        let methods = export.methods(of: domain).map { String(decoding: $0.json, as: UTF8.self) }.joined(separator: ",")
        text.line("private static let \(domain.name)Methods: StaticString = ##\"\(methods)\"##")
        if !export.schemas(of: domain).members.isEmpty {
          let schemas = String(decoding: JSONValue.object(export.schemas(of: domain)).json, as: UTF8.self)
          text.line(
            "private static let \(domain.name)Schemas: StaticString = ##\"\(schemas.dropFirst().dropLast())\"##")
        }
        if domain.isDebugOnly { text.line("#endif") }
      }
    }
  }
}
