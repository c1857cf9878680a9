import JSON
import _StringProcessing

/// What earlier steps remember, by name.
package typealias Bindings = [String: JSONValue]

/// Compares values with patterns.
package struct Matcher: Sendable {
  /// What `$type:` names mean.
  let schema: Schema

  /// A matcher that knows the protocol's types.
  package init(schema: Schema) {
    self.schema = schema
  }

  /// Throws the first difference; on a match, returns what is remembered afterwards.
  package func match(
    _ value: JSONValue, _ pattern: Pattern, _ bindings: Bindings
  ) throws(Mismatch) -> Bindings {
    var after = bindings
    try match(value, pattern, &after, "")
    return after
  }

  /// Compares a value and everything in it.
  private func match(
    _ value: JSONValue, _ pattern: Pattern, _ bindings: inout Bindings, _ pointer: String
  ) throws(Mismatch) {
    switch pattern {
    case .literal(let literal):
      guard Matcher.areEqual(literal, value) else {
        throw Mismatch(pointer, expected: PrettyText.short(literal), found: value)
      }
    case .array(let patterns, let rest): try elements(value, patterns, rest, &bindings, pointer)
    case .object(let members, let rest): try self.members(value, members, rest, &bindings, pointer)
    case .kind(let kind):
      guard Matcher.isKind(kind, value) else { throw Mismatch(pointer, expected: "$\(kind.rawValue)", found: value) }
    case .type(let type):
      var validator = SchemaValidator(schema: schema)
      try validator.check(value, type, at: pointer)
    case .bind(let name): bindings[name] = value
    case .bound(let name):
      guard let bound = bindings[name] else {
        throw Mismatch(pointer, expected: "$\(name), which nothing remembers yet", found: value)
      }
      guard Matcher.areEqual(bound, value) else {
        throw Mismatch(pointer, expected: "\(PrettyText.short(bound)) ($\(name))", found: value)
      }
    case .expression(let expression):
      guard case .string(let text) = value, Matcher.matches(text, expression) else {
        throw Mismatch(pointer, expected: "text that /\(expression)/ matches as a whole", found: value)
      }
    case .words:
      guard case .string(let text) = value, !text.isEmpty else {
        throw Mismatch(pointer, expected: "some text", found: value)
      }
    }
  }

  /// Compares the elements of an array.
  private func elements(
    _ value: JSONValue, _ patterns: [Pattern], _ rest: Bool, _ bindings: inout Bindings, _ pointer: String
  ) throws(Mismatch) {
    guard case .array(let values) = value else { throw Mismatch(pointer, expected: "an array", found: value) }
    for (index, pattern) in patterns.enumerated() {
      guard index < values.count else {
        let expected = "\(patterns.count) elements\(rest ? " or more" : "")"
        throw Mismatch(pointer, expected: expected, found: "\(values.count): \(PrettyText.short(value))")
      }
      try match(values[index], pattern, &bindings, "\(pointer)/\(index)")
    }
    guard rest || values.count == patterns.count else {
      throw Mismatch("\(pointer)/\(patterns.count)", expected: "no further element", found: values[patterns.count])
    }
  }

  /// Compares the members of an object.
  private func members(
    _ value: JSONValue, _ members: [Pattern.Member], _ rest: Bool, _ bindings: inout Bindings, _ pointer: String
  ) throws(Mismatch) {
    guard case .object(let object) = value else { throw Mismatch(pointer, expected: "an object", found: value) }
    for member in members {
      let place = pointer + JSONPointer.token(member.name)
      let found = object.exactly(member.name)
      guard let pattern = member.pattern else {
        if let found { throw Mismatch(place, expected: "no such member", found: found) }
        continue
      }
      guard let found else { throw Mismatch(place, expected: "a member of this name", found: "none") }
      try match(found, pattern, &bindings, place)
    }
    guard !rest else { return }
    for (name, found) in object.members where !members.contains(where: { name.isExactly($0.name) }) {
      throw Mismatch(pointer + JSONPointer.token(name), expected: "no such member", found: found)
    }
  }
}

extension Matcher {
  /// Whether two values are the same: numbers by value, text by its bytes, members in any order.
  package static func areEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return NumberValue(left) == NumberValue(right)
    case (.string(let left), .string(let right)): return left.isExactly(right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(areEqual)
    case (.object(let left), .object(let right)):
      return left.members.count == right.members.count
        && left.members.allSatisfy { member in
          right.exactly(member.name).map { areEqual(member.value, $0) } ?? false
        }
    default: return false
    }
  }

  /// Whether a value is of a kind.
  static func isKind(_ kind: Pattern.Kind, _ value: JSONValue) -> Bool {
    switch (kind, value) {
    case (.any, _), (.string, .string), (.number, .number), (.bool, .bool), (.null, .null): true
    case (.int, .number(let number)): NumberValue(number).isInteger
    case (.uuid, .string(let text)): TextForm.isUUID(text)
    case (.instant, .string(let text)): TextForm.isInstant(text)
    case (.date, .string(let text)): TextForm.isDate(text)
    case (.time, .string(let text)): TextForm.isTime(text)
    default: false
    }
  }

  /// Whether an expression matches a whole text, scalar by scalar as ECMAScript and Python do.
  static func matches(_ text: String, _ expression: String) -> Bool {
    guard let regex = try? Regex(expression).matchingSemantics(.unicodeScalar) else { return false }
    return (try? regex.wholeMatch(in: text)) != nil
  }
}

extension String {
  /// Whether both have the same bytes; `==` takes different spellings of one accented letter for the same.
  func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension JSONObject {
  /// The value of the member whose name has these bytes.
  func exactly(_ name: String) -> JSONValue? { members.first { $0.name.isExactly(name) }?.value }
}
