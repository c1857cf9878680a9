import ProtocolModel

/// Emits the codec of a type: in the type itself, or in an extension in another module.
enum SwiftCodecs {
  static func decoder(_ type: TypeDefinition, isExtension: Bool = false, into text: inout TextBuilder) {
    text.block("package init(from reader: inout JSONReader) throws(JSONError) {") { text in
      switch type.kind {
      case .structure(let members): decoder(type, members, isExtension, &text)
      case .enumeration(let values): decoder(values.map(\.name), isOpen: type.isOpen, &text)
      }
    }
  }

  static func encoder(_ type: TypeDefinition, into text: inout TextBuilder) {
    let opening = "package func encode(to writer: inout JSONWriter) {"
    switch type.kind {
    case .structure(let members):
      text.block(opening) { text in
        text.line("let brace = writer.count")
        for member in members { text.line(write(member)) }
        text.line("writer.endObject(from: brace)")
      }
    case .enumeration where type.isOpen:
      text.block(opening) { text in
        text.line("if case .unknown(let text) = self { return writer.write(text) }")
        text.line("writer.write(plain: rawValue)")
      }
    case .enumeration: text.block(opening, statements: ["writer.write(plain: rawValue)"])
    }
  }

  /// The statement that writes a member.
  private static func write(_ member: Member) -> String {
    let name = local(member)
    let function = member.isNullable && !member.isOptional ? "nullable" : "pair"
    let call = "writer.\(function)(#\",\"\(member.name)\":\"#, \(name))"
    // Unwraps scalars here, so that each scalar type needs only one `pair` function.
    guard case .scalar = member.type, member.isOptional, !member.isNullable else { return call }
    return "if let \(name) { \(call) }"
  }

  private static func decoder(_ names: [String], isOpen: Bool, _ text: inout TextBuilder) {
    let words = "\"\(names.joined(separator: " "))\""
    guard isOpen else {
      text.line("self = Self.known[try reader.word(among: \(words)).number]")
      return
    }
    text.line("let word = try reader.word(among: \(words), orOther: true)")
    text.line("self = if let other = word.other { .unknown(other) } else { Self.known[word.number] }")
  }

  private static func decoder(
    _ type: TypeDefinition, _ members: [Member], _ isExtension: Bool, _ text: inout TextBuilder
  ) {
    text.line("let known: StaticString = \"\(members.map(\.name).joined(separator: " "))\"")
    text.line("var object = try reader.beginObject()")
    text.fill(members.map { "\(local($0)): \(localType($0))" }, separator: ", ", prefix: "var ")
    let unknown = type.isLenient ? ".ignored" : type.isParams ? ".commonParams" : ".refused"
    if members.isEmpty {
      text.line("while try reader.nextMember(&object, among: known, unknown: \(unknown)) != nil {}")
    } else {
      text.block("while let index = try reader.nextMember(&object, among: known, unknown: \(unknown)) {") { text in
        text.line("switch index {")
        for (number, member) in members.enumerated() { text.line("case \(number): \(read(member, of: type))") }
        text.line("default: break")
        text.line("}")
      }
    }
    let required = members.enumerated().filter { !$1.isOptional }
    if !required.isEmpty {
      let present = required.map { $1.isNullable ? "reader.has(\($0), object)" : "let \(local($1))" }
      let bits = required.reduce(UInt64(0)) { $0 | 1 << UInt64($1.offset) }
      let head = "guard \(present.joined(separator: ", "))"
      let otherwise = "else { throw reader.missing(known, required: 0x\(String(bits, radix: 16)), object) }"
      text.line(text.fits("\(head) \(otherwise)") ? "\(head) \(otherwise)" : "\(head)\n\(otherwise)")
    }
    // An extension in another module must use the memberwise initializer.
    if isExtension {
      text.line("self.init(\(members.map { "\($0.name): \(local($0))" }.joined(separator: ", ")))")
    } else {
      text.fill(SwiftTypes.assignments(members), separator: "; ")
    }
  }

  private static func local(_ member: Member) -> String { SwiftNames.escaped(member.name) }

  private static func localType(_ member: Member) -> String {
    let type = SwiftTypes.valueType(member)
    return member.isOptional && member.isNullable ? "Presence<\(type)> = .absent" : "\(type)?"
  }

  /// The statement that reads the value of a member.
  private static func read(_ member: Member, of type: TypeDefinition) -> String {
    let name = local(member)
    // Stored values stay readable although they would be refused now.
    let bounds = bounds(member).map { member.isTrimmed && !type.isParams ? "\($0), mayBeBlank: true" : $0 }
    guard member.isNullable else { return "try reader.read(&\(name)\(bounds ?? ""))" }
    guard member.isOptional else { return "if try !reader.null() { try reader.read(&\(name)\(bounds ?? "")) }" }
    guard let bounds else { return "try reader.read(&\(name))" }
    let function = member.type == .scalar(.decimal) ? "decimal" : member.type == .scalar(.string) ? "text" : "int"
    return "\(name) = try reader.null() ? .null : .value(reader.\(function)(\(bounds.dropFirst(2))))"
  }

  /// The arguments for the bounds of a member; nil without bounds.
  private static func bounds(_ member: Member) -> String? {
    switch member.type {
    case .scalar(.int) where member.minimum != nil || member.maximum != nil, .scalar(.duration):
      let least = member.type == .scalar(.duration) ? "0" : "JSONReader.safeIntegers.lowerBound"
      return ", in: \(bound(member.minimum, least))...\(bound(member.maximum, "JSONReader.safeIntegers.upperBound"))"
    case .scalar(.string) where member.minimumLength != nil || member.maximumLength != nil || member.isTrimmed:
      let trimmed = member.isTrimmed ? ", trimmed: true" : ""
      return ", in: \(member.minimumLength ?? 0)...\(bound(member.maximumLength, "Int.max"))\(trimmed)"
    case .scalar(.decimal) where member.minimum != nil || member.maximum != nil || member.scale != nil:
      return
        ", minimum: \(bound(member.minimum, "nil")), maximum: \(bound(member.maximum, "nil")), scale: \(bound(member.scale, "nil"))"
    default: return nil
    }
  }

  private static func bound(_ value: Int?, _ fallback: String) -> String { value.map(String.init) ?? fallback }
}
