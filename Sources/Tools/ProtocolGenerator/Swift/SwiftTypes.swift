import ProtocolModel

/// Emits the Swift types of a domain with the codecs that the service needs, and separately the rest.
struct SwiftTypes {
  let specification: Specification
  let usage: CodecUsage

  init(specification: Specification) {
    self.specification = specification
    usage = CodecUsage(specification)
  }

  func emit(_ domain: Domain, into text: inout TextBuilder) {
    var isFirst = true
    for type in specification.allTypes(of: domain) where usage.isUsedByService(type) {
      if !isFirst { text.line() }
      isFirst = false
      whole(type, usage.protocols(of: type), usage.codecs(of: type), into: &text)
    }
  }

  /// Emits what only clients and tests need: types, other codecs, conformances. Returns false when there is none.
  func emitOthers(_ domain: Domain, into text: inout TextBuilder) -> Bool {
    let both = ["JSONDecodable", "JSONEncodable"]
    var isFirst = true
    for type in specification.allTypes(of: domain) {
      let missing = both.filter { !usage.codecs(of: type).contains($0) }
      let conformances = both.filter { !usage.protocols(of: type).contains($0) }
      guard !conformances.isEmpty else { continue }
      if !isFirst { text.line() }
      isFirst = false
      guard usage.isUsedByService(type) else {
        whole(type, both, both, into: &text)
        continue
      }
      let head = "extension \(type.name): \(conformances.joined(separator: ", "))"
      if missing.isEmpty {
        text.line(head + " {}")
      } else {
        text.block(head + " {") { text in codecs(type, missing, isExtension: true, into: &text) }
      }
    }
    return !isFirst
  }

  private func whole(
    _ type: TypeDefinition, _ protocols: [String], _ codecs: [String], into text: inout TextBuilder
  ) {
    let head = "\(type.name): \((["Sendable"] + protocols).joined(separator: ", ")) {"
    text.doc(type.doc)
    switch type.kind {
    case .structure(let members):
      text.block("package struct \(head)") { structure(type, members, codecs, into: &$0) }
    case .enumeration(let values):
      text.block("package enum \(head)") { enumeration(type, values, codecs, into: &$0) }
    }
  }

  private func codecs(
    _ type: TypeDefinition, _ protocols: [String], isExtension: Bool = false, into text: inout TextBuilder
  ) {
    for (index, name) in protocols.enumerated() {
      if index > 0 { text.line() }
      if name == "JSONDecodable" {
        SwiftCodecs.decoder(type, isExtension: isExtension, into: &text)
      } else {
        SwiftCodecs.encoder(type, into: &text)
      }
    }
  }

  // MARK: structs

  private func structure(
    _ type: TypeDefinition, _ members: [Member], _ codecs: [String], into text: inout TextBuilder
  ) {
    for member in members {
      text.doc(SwiftTypes.doc(member))
      text.line("package var \(SwiftNames.escaped(member.name)): \(SwiftTypes.propertyType(member))")
    }
    if type.isStored {
      if !members.isEmpty { text.line() }
      text.line("/// The names of the members, in order.")
      text.line(
        "package static let memberNames: [String] = [\(members.map { "\"\($0.name)\"" }.joined(separator: ", "))]")
    }
    if let method = notificationMethod(type) {
      text.line()
      text.line("/// The notification these params belong to.")
      text.line("package static let method: StaticString = \"\(method)\"")
    }
    text.line()
    initializer(members, into: &text)
    text.line()
    self.codecs(type, codecs, into: &text)
  }

  /// The method of the service whose params a type is.
  private func notificationMethod(_ type: TypeDefinition) -> String? {
    let messages = specification.notifications + specification.requests
    return messages.first { $0.direction.isFromServer && $0.params.name == type.name }?.method
  }

  private func initializer(_ members: [Member], into text: inout TextBuilder) {
    let parameters = members.map { member -> String in
      let fallback = member.isOptional ? (member.isNullable ? " = .absent" : " = nil") : ""
      return "\(SwiftNames.escaped(member.name)): \(SwiftTypes.propertyType(member))\(fallback)"
    }
    if parameters.isEmpty {
      text.line("package init() {}")
      return
    }
    text.function("package init(", list: parameters, closing: ") {", statements: SwiftTypes.assignments(members))
  }

  /// The assignments of the members from local values of the same names.
  static func assignments(_ members: [Member]) -> [String] {
    members.map { "self.\($0.name) = \(SwiftNames.escaped($0.name))" }
  }

  // MARK: enumerations

  private func enumeration(
    _ type: TypeDefinition, _ values: [TypeDefinition.EnumerationValue], _ codecs: [String],
    into text: inout TextBuilder
  ) {
    for value in values {
      text.doc(value.doc)
      text.line("case \(SwiftNames.escaped(value.name))")
    }
    if type.isOpen {
      text.line("/// A value of a later version, kept verbatim.")
      text.line("case unknown(String)")
    }
    text.line()
    text.line("/// The known values, in the protocol's order.")
    text.line("package static let known: [\(type.name)] = [\(values.map { ".\($0.name)" }.joined(separator: ", "))]")
    text.line()
    text.line("/// The text on the wire.")
    text.switchBlock("package var rawValue: String {") { text in
      for value in values { text.line("case .\(value.name): \"\(value.name)\"") }
      if type.isOpen { text.line("case .unknown(let text): text") }
    }
    let free = values.filter(\.isFree).map { ".\($0.name)" }
    if !free.isEmpty {
      text.line()
      text.line("/// Whether it needs no premium.")
      text.switchBlock("package var isFree: Bool {", default: "false") { text in
        text.line("case \(free.joined(separator: ", ")): true")
      }
    }
    text.line()
    self.codecs(type, codecs, into: &text)
  }

  // MARK: members

  static func doc(_ member: Member) -> String {
    var doc = member.doc
    if member.minimum != nil || member.maximum != nil {
      doc += " \(member.minimum.map(String.init) ?? "")…\(member.maximum.map(String.init) ?? "")."
    }
    return doc
  }

  static func propertyType(_ member: Member) -> String {
    let type = valueType(member)
    if member.isOptional, member.isNullable { return "Presence<\(type)>" }
    return member.isOptional || member.isNullable ? type + "?" : type
  }

  static func valueType(_ member: Member) -> String {
    if member.isFragment {
      // Elements of any type are many and small, or few and large: kept as one text.
      if member.type == .array(.scalar(.json)) { return "JSONLines" }
      if case .array(let element) = member.type { return "[JSONFragment<\(name(element))>]" }
      return "JSONFragment<\(name(member.type))>"
    }
    return name(member.type)
  }

  static func name(_ type: TypeExpression) -> String {
    switch type {
    case .scalar(.bool): "Bool"
    case .scalar(.int), .scalar(.duration): "Int"
    case .scalar(.number): "Double"
    case .scalar(.string): "String"
    case .scalar(.id): "EntityID"
    case .scalar(.date): "CivilDay"
    case .scalar(.time): "WallTime"
    case .scalar(.instant): "Instant"
    case .scalar(.decimal): "Decimal"
    case .scalar(.timezone): "TimeZoneName"
    case .scalar(.token): "Token"
    case .scalar(.json): "JSONValue"
    case .named(let name): name
    case .array(let element): "[\(name(element))]"
    case .map(let element): "[String: \(name(element))]"
    case .null: "Null"
    }
  }
}

/// Swift's reserved words.
enum SwiftNames {
  private static let reserved: Set<String> = [
    "default", "in", "is", "as", "self", "for", "where", "case", "class", "func", "init", "let", "var", "return",
    "switch",
    "true", "false", "nil", "repeat", "extension", "import", "operator", "protocol", "static", "struct", "super",
    "throw",
  ]

  static func escaped(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }
}
