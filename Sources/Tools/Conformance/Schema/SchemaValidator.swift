import JSON
import ProtocolModel

/// Checks values of the service against declared types: strict on members nobody declared, unless their struct is lenient.
///
/// Open enumerations may hold any text, for they may gain values.
package struct SchemaValidator: Sendable {
  /// What the types are.
  let schema: Schema
  /// The named types that values were checked against so far.
  package private(set) var met: Set<String> = []

  /// A validator that has met no type yet.
  package init(schema: Schema) {
    self.schema = schema
  }

  /// Throws the first place where the value is not of the type.
  package mutating func check(_ value: JSONValue, _ type: TypeExpression, at pointer: String) throws(Mismatch) {
    try check(value, type, nil, pointer)
  }

  /// Throws the first place where the value is not an object of these members.
  package mutating func check(
    _ value: JSONValue, members: [Member], isLenient: Bool = false, at pointer: String
  ) throws(Mismatch) {
    guard case .object(let object) = value else { throw Mismatch(pointer, expected: "an object", found: value) }
    for member in members {
      let place = pointer + JSONPointer.token(member.name)
      guard let found = object.exactly(member.name) else {
        if member.isOptional { continue }
        throw Mismatch(place, expected: "a member of this name", found: "none")
      }
      try check(found, member, at: place)
    }
    guard !isLenient else { return }
    for (name, found) in object.members where !members.contains(where: { name.isExactly($0.name) }) {
      throw Mismatch(pointer + JSONPointer.token(name), expected: "no undeclared member", found: found)
    }
  }

  /// Throws the first place where the value is not what the member may hold.
  package mutating func check(_ value: JSONValue, _ member: Member, at pointer: String) throws(Mismatch) {
    if value == .null, member.isNullable { return }
    try check(value, member.type, member, pointer)
  }

  /// Checks against a type; `bounds` is the member that narrows it.
  private mutating func check(
    _ value: JSONValue, _ type: TypeExpression, _ bounds: Member?, _ pointer: String
  ) throws(Mismatch) {
    switch type {
    case .null:
      guard value == .null else { throw Mismatch(pointer, expected: "null", found: value) }
    case .scalar(let scalar):
      if let expected = ScalarForm(scalar, bounds).expectation(unmetBy: value) {
        throw Mismatch(pointer, expected: expected, found: value)
      }
    case .array(let element):
      guard case .array(let values) = value else { throw Mismatch(pointer, expected: "an array", found: value) }
      for (index, value) in values.enumerated() { try check(value, element, nil, "\(pointer)/\(index)") }
    case .map(let element):
      guard case .object(let object) = value else { throw Mismatch(pointer, expected: "an object", found: value) }
      for (name, value) in object.members { try check(value, element, nil, pointer + JSONPointer.token(name)) }
    case .named(let name): try check(value, named: name, pointer)
    }
  }

  /// Checks against a named type.
  private mutating func check(_ value: JSONValue, named name: String, _ pointer: String) throws(Mismatch) {
    guard let type = schema.types[name] else {
      throw Mismatch(pointer, expected: "the type \(name), which the protocol lacks", found: value)
    }
    met.insert(name)
    switch type.kind {
    case .structure(let members): try check(value, members: members, isLenient: type.isLenient, at: pointer)
    case .enumeration(let values):
      guard case .string(let text) = value, type.isOpen || values.contains(where: { $0.name.isExactly(text) }) else {
        let names = values.map { "“\($0.name)”" }.joined(separator: ", ")
        throw Mismatch(pointer, expected: type.isOpen ? "text, such as \(names)" : "one of \(names)", found: value)
      }
    }
  }
}
