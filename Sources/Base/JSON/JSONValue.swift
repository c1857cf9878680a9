/// Any JSON value; keeps number lexemes and the order of members.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

extension JSONValue {
  /// Whether both texts have the same value: white space, escapes, the order of members and the spelling of numbers are
  /// no part of it. False when either is no JSON text.
  package static func areEqualInValue(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard let left = try? JSONValue(json: left), let right = try? JSONValue(json: right) else { return false }
    return left.isEqualInValue(to: right)
  }

  private func isEqualInValue(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left.isEqualInValue(to: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEqualInValue(to: $1) }
    case (.object(let left), .object(let right)):
      left.members.count == right.members.count
        && left.members.allSatisfy { member in right[member.name]?.isEqualInValue(to: member.value) ?? false }
    default: self == other
    }
  }
}

/// The members of an object in document order, each name once.
package struct JSONObject: Sendable, Equatable {
  package typealias Member = (name: String, value: JSONValue)

  package private(set) var members: [Member] = []

  package init() {}

  /// Takes members in order; a repeated name replaces the earlier value.
  package init(_ members: [Member]) {
    for member in members { self[member.name] = member.value }
  }

  /// The value of a member; setting nil removes it, a new name is appended.
  package subscript(_ name: String) -> JSONValue? {
    get { members.first { NameSet.areSame($0.name, name) }?.value }
    set {
      let index = members.firstIndex { NameSet.areSame($0.name, name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((name, value))
      case (nil, nil): break
      }
    }
  }

  /// Compares members regardless of their order.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    var index = 0
    while index < left.members.count {
      guard let value = right.value(of: left.members[index].name, near: index), value == left.members[index].value
      else { return false }
      index += 1
    }
    return true
  }

  /// The value of a member, looked up first at `index`.
  private func value(of name: String, near index: Int) -> JSONValue? {
    NameSet.areSame(members[index].name, name) ? members[index].value : self[name]
  }

  /// Appends a member whose name is known to be new.
  fileprivate mutating func append(_ name: String, _ value: JSONValue) { members.append((name, value)) }
}

/// An array or object being read.
private struct PartialValue {
  var elements: [JSONValue] = []
  var object = JSONObject()
  var names = NameSet()
  /// The name of the member being read.
  var name = ""
  /// Nil for an array.
  var cursor: JSONObjectCursor?

  mutating func append(_ value: JSONValue) {
    if cursor == nil { elements.append(value) } else { object.append(name, value) }
  }

  /// Advances to the next value, reading its name in an object; returns false at the end.
  mutating func next(_ reader: inout JSONReader) throws(JSONError) -> Bool {
    guard var cursor else { return try reader.nextElement(isFirst: elements.isEmpty) }
    guard try reader.nextMember(&cursor) else { return false }
    self.cursor = cursor
    name = reader.memberName
    guard names.insert(name) else { throw reader.duplicate() }
    return true
  }
}

extension JSONValue: JSONDecodable {
  // Iterative: texts nest up to 512 levels and some threads have small stacks.
  package init(from reader: inout JSONReader) throws(JSONError) {
    var open: [PartialValue] = []
    while true {
      var value: JSONValue?
      switch reader.peek() {
      case UInt8(ascii: "{"): open.append(PartialValue(cursor: try reader.beginObject()))
      case UInt8(ascii: "["):
        try reader.beginArray()
        open.append(PartialValue())
      default: value = try JSONValue.readScalar(&reader)
      }
      // Adds complete values to their containers until a container has a further element.
      repeat {
        if let complete = value {
          guard !open.isEmpty else {
            self = complete
            return
          }
          open[open.count - 1].append(complete)
        }
        if try open[open.count - 1].next(&reader) { break }
        let last = open.removeLast()
        value = last.cursor == nil ? .array(last.elements) : .object(last.object)
      } while true
    }
  }

  /// Reads a scalar.
  private static func readScalar(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
    switch reader.peek() {
    case UInt8(ascii: "\""): return .string(try reader.string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.bool())
    case UInt8(ascii: "n"):
      _ = try reader.null()
      return .null
    case nil: throw JSONError(.unexpectedEnd, at: reader.position, expected: "a value")
    case let byte?:
      guard byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 else {
        throw JSONError(.syntax, at: reader.position, expected: "a value")
      }
      return .number(try reader.numberLexeme())
    }
  }
}

extension JSONValue: JSONEncodable {
  package func encode(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.writeNull()
    case .bool(let value): writer.write(value)
    case .number(let value): writer.write(value)
    case .string(let value): writer.write(value)
    case .array(let values):
      // Inline, because an intermediate call would take more stack at every level.
      writer.beginArray()
      for value in values {
        writer.element()
        value.encode(to: &writer)
      }
      writer.endArray()
    case .object(let object):
      writer.beginObject()
      for member in object.members {
        writer.name(member.name)
        member.value.encode(to: &writer)
      }
      writer.endObject()
    }
  }
}
