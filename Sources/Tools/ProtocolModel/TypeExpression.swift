/// The scalars of the vocabulary.
package enum Scalar: String, CaseIterable, Sendable {
  case bool, int, number, string, id, date, time, instant, duration, decimal, timezone, token, json
}

/// The type of a member or result.
package indirect enum TypeExpression: Equatable, Sendable {
  case scalar(Scalar)
  /// A type defined in one of the domains.
  case named(String)
  case array(TypeExpression)
  /// An object with arbitrary names.
  case map(TypeExpression)
  /// The result of a request without one.
  case null

  /// Parses `array<Meal>`, `map<int>`, `string`, `Meal`, `null`.
  package init?(_ text: String) {
    if text == "null" {
      self = .null
    } else if let scalar = Scalar(rawValue: text) {
      self = .scalar(scalar)
    } else if text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
      let inside = TypeExpression(String(text[text.index(after: open)...].dropLast()))
      guard let inner = inside, inner != .null else { return nil }
      switch text[..<open] {
      case "array": self = .array(inner)
      case "map": self = .map(inner)
      default: return nil
      }
    } else if let first = text.unicodeScalars.first, first.properties.isUppercase {
      self = .named(text)
    } else {
      return nil
    }
  }

  /// The source form.
  package var text: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .named(let name): name
    case .array(let element): "array<\(element.text)>"
    case .map(let element): "map<\(element.text)>"
    case .null: "null"
    }
  }

  /// The defined type it refers to, if any.
  package var reference: String? {
    switch self {
    case .named(let name): name
    case .array(let element), .map(let element): element.reference
    case .scalar, .null: nil
    }
  }
}
