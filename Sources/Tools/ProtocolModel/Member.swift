import JSON

/// A member of a struct, of params or of a result.
package struct Member: Sendable {
  package var name: String
  package var type: TypeExpression
  /// For `json`: the expected type. Any value is accepted, and one of another type counts as absent.
  package var form: TypeExpression?
  package var doc: String
  package var isOptional = false
  package var isNullable = false
  /// Whether the service may pass on the stored text of the value; a hint to the Swift emitter, not part of the
  /// protocol.
  package var isFragment = false
  /// Whether it stays on its device when the record is synced.
  package var isLocal = false
  /// Bounds of an `int`, a `duration` or a `decimal` (as whole numbers).
  package var minimum: Int?
  package var maximum: Int?
  /// Bounds of a `string`'s length in Unicode scalars.
  package var minimumLength: Int?
  package var maximumLength: Int?
  /// Whether surrounding white space is removed from a `string` before validation.
  package var isTrimmed = false
  /// The maximum number of fraction digits of a `decimal`.
  package var scale: Int?
  package var since: Int?
  /// The file and the JSON Pointer of its definition.
  package var place: String

  init(_ node: SourceNode) throws(SpecificationError) {
    _ = try node.object([
      "name", "type", "doc", "optional", "nullable", "fragment", "minimum", "maximum", "minLength", "maxLength", "trim",
      "scale", "since", "made", "local", "form",
    ])
    place = node.place
    name = try node.string("name")
    doc = try node.string("doc")
    let written = try node.required("type")
    let typeText = try written.string()
    guard let type = TypeExpression(typeText), type != .null else {
      throw written.fail("“\(typeText)” is not a type")
    }
    self.type = type
    if let written = node.child("form") {
      guard type == .scalar(.json), let form = TypeExpression(try written.string()) else {
        throw written.fail("a form is a type, of a member that is “json”")
      }
      self.form = form
    }
    isOptional = try node.bool("optional")
    isNullable = try node.bool("nullable")
    isFragment = try node.bool("fragment")
    isLocal = try node.bool("local")
    isTrimmed = try node.bool("trim")
    minimum = try Member.bound(node.child("minimum"))
    maximum = try Member.bound(node.child("maximum"))
    minimumLength = try node.optionalInt("minLength")
    maximumLength = try node.optionalInt("maxLength")
    scale = try node.optionalInt("scale")
    since = try node.optionalInt("since")
  }

  /// Reads a bound: a number, or for decimals a whole number as text.
  private static func bound(_ node: SourceNode?) throws(SpecificationError) -> Int? {
    guard let node else { return nil }
    if case .string(let text) = node.value {
      guard let value = Int(text) else { throw node.fail("a whole number is expected") }
      return value
    }
    return try node.int()
  }
}
