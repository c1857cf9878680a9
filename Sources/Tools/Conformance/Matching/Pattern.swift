import JSON
import ProtocolModel
import _StringProcessing

/// What a value is compared with.
package indirect enum Pattern: Sendable, Equatable {
  /// The kinds of value that have a matcher of their own.
  package enum Kind: String, Sendable, CaseIterable {
    case any, string, int, number, bool, null, uuid, instant, date, time
  }

  /// A member of an object.
  package struct Member: Sendable, Equatable {
    /// Its name.
    package var name: String
    /// What its value is compared with; nil when it may not be there.
    package var pattern: Pattern?
  }

  /// Exactly this value, which is neither array nor object.
  case literal(JSONValue)
  /// These elements; further ones only if `rest`.
  case array([Pattern], rest: Bool)
  /// These members; further ones only if `rest`.
  case object([Member], rest: Bool)
  /// `$any`, `$string`, …
  case kind(Kind)
  /// `$type:Name`.
  case type(TypeExpression)
  /// `$bind:x`.
  case bind(String)
  /// `$x`.
  case bound(String)
  /// `$re:PATTERN`.
  case expression(String)
  /// Any text that says something: `error.message`.
  case words
}

/// An expectation that nobody can meet.
package struct PatternError: Error, Sendable, Equatable {
  /// What is wrong.
  package let message: String
}

extension Pattern {
  /// The methods it names, as the pattern of a message or of a batch.
  var methods: [String] {
    switch self {
    case .array(let elements, _): elements.flatMap(\.methods)
    case .object(let members, _):
      members.compactMap { member in
        if case .literal(.string(let method))? = member.pattern, member.name == "method" { method } else { nil }
      }
    default: []
    }
  }

  /// Whether a text can name a remembered value.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  /// The pattern of a message or of a batch, in which `error.message` is never compared.
  package init(message value: JSONValue, bound: inout Set<String>, schema: Schema?) throws(PatternError) {
    let pattern = try Pattern(value, bound: &bound, schema: schema)
    self = pattern.withoutWords
  }

  /// The pattern that a value means; adds the names it binds.
  package init(_ value: JSONValue, bound: inout Set<String>, schema: Schema?) throws(PatternError) {
    switch value {
    case .string(let text) where text.utf8.starts(with: "$$".utf8): self = .literal(.string(String(text.dropFirst())))
    case .string(let text) where text.utf8.first == UInt8(ascii: "$"):
      self = try Pattern.matcher(String(text.dropFirst()), bound: &bound, schema: schema)
    case .array(let values):
      let hasRest = values.last == .string("$rest")
      var elements: [Pattern] = []
      for value in hasRest ? values.dropLast() : values[...] {
        elements.append(try Pattern(value, bound: &bound, schema: schema))
      }
      self = .array(elements, rest: hasRest)
    case .object(let object): self = try Pattern.object(object, bound: &bound, schema: schema)
    default: self = .literal(value)
    }
  }

  /// The pattern that the members of an object mean.
  private static func object(
    _ object: JSONObject, bound: inout Set<String>, schema: Schema?
  ) throws(PatternError) -> Pattern {
    var members: [Member] = []
    var hasRest = false
    for (name, value) in object.members {
      if name == "$rest" {
        guard value == .bool(true) else { throw PatternError(message: "“$rest” as a member has the value true") }
        hasRest = true
      } else {
        // A literal leading dollar is doubled in names as well.
        let name = name.utf8.starts(with: "$$".utf8) ? String(name.dropFirst()) : name
        let pattern = value == .string("$absent") ? nil : try Pattern(value, bound: &bound, schema: schema)
        members.append(Member(name: name, pattern: pattern))
      }
    }
    return .object(members, rest: hasRest)
  }

  /// The matcher whose text follows the dollar.
  private static func matcher(
    _ text: String, bound: inout Set<String>, schema: Schema?
  ) throws(PatternError) -> Pattern {
    if let kind = Kind(rawValue: text) { return .kind(kind) }
    let head = text.prefix { $0 != ":" }
    let tail = String(text.dropFirst(head.count + 1))
    switch head {
    case "rest": throw PatternError(message: "“$rest” is the last element of an array, or a member’s name")
    case "absent": throw PatternError(message: "“$absent” is the value of a member")
    case "bind" where head.count < text.count:
      guard isName(tail), Kind(rawValue: tail) == nil, tail != "rest", tail != "absent" else {
        throw PatternError(message: "“\(tail)” cannot name a remembered value")
      }
      bound.insert(tail)
      return .bind(tail)
    case "type":
      guard let type = TypeExpression(tail), schema?.knows(type) ?? true else {
        throw PatternError(message: "the protocol has no type “\(tail)”")
      }
      return .type(type)
    case "re":
      guard (try? Regex(tail)) != nil else { throw PatternError(message: "“\(tail)” is no regular expression") }
      return .expression(tail)
    case _ where bound.contains(text): return .bound(text)
    default:
      let hint = isName(text) ? "is no matcher, and no earlier step remembers it" : "is no matcher"
      throw PatternError(message: "“$\(text)” \(hint); a literal leading $ is doubled")
    }
  }

  /// The pattern of a message with `error.message` taken out of the comparison.
  private var withoutWords: Pattern {
    switch self {
    case .array(let elements, let rest): return .array(elements.map(\.withoutWords), rest: rest)
    case .object(var members, let rest):
      for index in members.indices where members[index].name == "error" {
        guard case .object(var parts, let isOpen) = members[index].pattern else { continue }
        parts.removeAll { $0.name == "message" }
        parts.append(Member(name: "message", pattern: .words))
        members[index].pattern = .object(parts, rest: isOpen)
      }
      return .object(members, rest: rest)
    default: return self
    }
  }
}
