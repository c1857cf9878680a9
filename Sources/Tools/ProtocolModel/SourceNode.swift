import JSON

/// A value of a source file with its location, for error messages.
struct SourceNode {
  let value: JSONValue
  let place: String

  func fail(_ message: String) -> SpecificationError { SpecificationError(place, message) }

  /// The members of an object; throws on unknown ones.
  func object(_ known: Set<String>) throws(SpecificationError) -> JSONObject {
    guard case .object(let object) = value else { throw fail("an object is expected") }
    for member in object.members where !known.contains(member.name) && !member.name.hasPrefix("x-") {
      let hint = Spelling.nearest(to: member.name, among: known.sorted()).map { ", did you mean “\($0)”?" } ?? ""
      throw fail("unknown member “\(member.name)”\(hint)")
    }
    return object
  }

  func child(_ name: String) -> SourceNode? {
    guard case .object(let object) = value, let child = object[name] else { return nil }
    return SourceNode(value: child, place: place + JSONPointer.token(name))
  }

  func required(_ name: String) throws(SpecificationError) -> SourceNode {
    guard let child = child(name) else { throw fail("the member “\(name)” is missing") }
    return child
  }

  func string() throws(SpecificationError) -> String {
    guard case .string(let text) = value else { throw fail("a string is expected") }
    return text
  }

  func string(_ name: String) throws(SpecificationError) -> String { try required(name).string() }

  func optionalString(_ name: String) throws(SpecificationError) -> String? {
    guard let child = child(name) else { return nil }
    return try child.string()
  }

  func bool(_ name: String) throws(SpecificationError) -> Bool {
    guard let child = child(name) else { return false }
    guard case .bool(let flag) = child.value else { throw child.fail("true or false is expected") }
    return flag
  }

  func int() throws(SpecificationError) -> Int {
    guard case .number(let number) = value, let integer = number.integer else { throw fail("an integer is expected") }
    return integer
  }

  func optionalInt(_ name: String) throws(SpecificationError) -> Int? {
    guard let child = child(name) else { return nil }
    return try child.int()
  }

  func elements() throws(SpecificationError) -> [SourceNode] {
    guard case .array(let values) = value else { throw fail("an array is expected") }
    return values.enumerated().map { SourceNode(value: $1, place: "\(place)/\($0)") }
  }

  func elements(_ name: String) throws(SpecificationError) -> [SourceNode] { try required(name).elements() }

  /// The members of an object, in order.
  func members() throws(SpecificationError) -> [(name: String, value: SourceNode)] {
    guard case .object(let object) = value else { throw fail("an object is expected") }
    return object.members.map {
      ($0.name, SourceNode(value: $0.value, place: place + JSONPointer.token($0.name)))
    }
  }

  func strings(_ name: String) throws(SpecificationError) -> [String] {
    guard let child = child(name) else { return [] }
    var result: [String] = []
    for element in try child.elements() { result.append(try element.string()) }
    return result
  }
}
