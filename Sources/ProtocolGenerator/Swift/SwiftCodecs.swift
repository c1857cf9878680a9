import ProtocolModel

/// Emits the direct codec of a struct.
enum SwiftCodecs {
  static func decoder(_ type: TypeDefinition, _ members: [Member], into text: inout TextBuilder) {
    text.block("package init(from reader: inout JSONReader) throws(JSONError) {") { text in
      text.line("var object = try reader.beginObject()")
      for member in members { text.line("var \(local(member)): \(localType(member))") }
      text.block("while try reader.nextMember(&object) {") { text in
        var keyword = "if"
        for (bit, member) in members.enumerated() {
          text.line("\(keyword) try reader.member(\"\(member.name)\", \(bit), &object) {")
          text.line("  \(local(member)) = \(read(member))")
          keyword = "} else if"
        }
        let unknown = unknownMember(type, members)
        if members.isEmpty {
          text.line(unknown)
        } else {
          text.line("} else {")
          text.line("  \(unknown)")
          text.line("}")
        }
      }
      for (bit, member) in members.enumerated() {
        let name = local(member)
        if member.isOptional {
          text.line("self.\(member.name) = \(name)")
        } else if member.isNullable {
          text.line("guard reader.has(\(bit), object) else { throw reader.missing(\"\(member.name)\", object) }")
          text.line("self.\(member.name) = \(name)")
        } else {
          text.line("guard let \(name) else { throw reader.missing(\"\(member.name)\", object) }")
          text.line("self.\(member.name) = \(name)")
        }
      }
    }
  }

  private static func unknownMember(_ type: TypeDefinition, _ members: [Member]) -> String {
    let names = members.map(\.name).joined(separator: " ")
    if type.isParams, !type.isLenient { return "try reader.unknownParam(&object, known: \"\(names)\")" }
    if type.isLenient { return "try reader.ignoreMember(&object)" }
    return "try reader.unknownMember(&object, known: \"\(names)\")"
  }

  private static func local(_ member: Member) -> String { SwiftNames.escaped(member.name) }

  private static func localType(_ member: Member) -> String {
    let type = SwiftTypes.valueType(member)
    return member.isOptional && member.isNullable ? "Presence<\(type)> = .absent" : "\(type)?"
  }

  /// The expression that reads the value of a member.
  private static func read(_ member: Member) -> String {
    let value = "try \(readValue(member))"
    guard member.isNullable else { return value }
    if member.isOptional { return "try reader.null() ? .null : .value(\(value))" }
    return "try reader.null() ? nil : \(value)"
  }

  private static func readValue(_ member: Member) -> String {
    switch member.type {
    case .scalar(.int):
      if member.minimum == nil, member.maximum == nil { return "reader.int()" }
      return
        "reader.int(in: \(bound(member.minimum, "JSONReader.safeIntegers.lowerBound"))...\(bound(member.maximum, "JSONReader.safeIntegers.upperBound")))"
    case .scalar(.duration):
      return "reader.int(in: \(member.minimum ?? 0)...\(bound(member.maximum, "JSONReader.safeIntegers.upperBound")))"
    case .scalar(.string) where member.minimumLength != nil || member.maximumLength != nil || member.isTrimmed:
      let trimmed = member.isTrimmed ? ", trimmed: true" : ""
      return "reader.text(in: \(member.minimumLength ?? 0)...\(bound(member.maximumLength, "Int.max"))\(trimmed))"
    case .scalar(.decimal) where member.minimum != nil || member.maximum != nil || member.scale != nil:
      return
        "reader.decimal(minimum: \(bound(member.minimum, "nil")), maximum: \(bound(member.maximum, "nil")), scale: \(bound(member.scale, "nil")))"
    case .array(let element):
      let name = member.isFragment ? "JSONFragment<\(SwiftTypes.name(element))>" : SwiftTypes.name(element)
      return "reader.array(of: \(name).self)"
    case .map(let element): return "reader.map(of: \(SwiftTypes.name(element)).self)"
    default: return "\(SwiftTypes.valueType(member))(from: &reader)"
    }
  }

  private static func bound(_ value: Int?, _ fallback: String) -> String { value.map(String.init) ?? fallback }

  static func encoder(_ members: [Member], into text: inout TextBuilder) {
    text.block("package func encode(to writer: inout JSONWriter) {") { text in
      text.line("writer.beginObject()")
      for member in members {
        let name = SwiftNames.escaped(member.name)
        if member.isOptional, member.isNullable {
          text.line("\(name).encode(\"\(member.name)\", to: &writer)")
        } else if member.isOptional {
          text.block("if let \(name) {") { text in
            text.line("writer.name(\"\(member.name)\")")
            text.line("\(name).encode(to: &writer)")
          }
        } else if member.isNullable {
          text.line("writer.name(\"\(member.name)\")")
          text.line("if let \(name) { \(name).encode(to: &writer) } else { writer.writeNull() }")
        } else {
          text.line("writer.name(\"\(member.name)\")")
          text.line("\(name).encode(to: &writer)")
        }
      }
      text.line("writer.endObject()")
    }
  }
}
