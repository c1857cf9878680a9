import JSON
import Values

/// Results of requests as pages read them: what is missing, or is something else, is nil.
extension JSONValue {
  package subscript(_ name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }

  package var text: String? { if case .string(let text) = self { text } else { nil } }

  package var integer: Int? { if case .number(let number) = self { number.integer } else { nil } }

  /// A decimal, which is text on the wire.
  package var decimal: Decimal? { text.flatMap { Decimal($0) } }

  package var isTrue: Bool { self == .bool(true) }

  /// The elements of an array; none of anything else.
  package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  /// The elements of the member `name`.
  package func list(_ name: String) -> [JSONValue] { self[name]?.elements ?? [] }

  /// The text of the member `name`; empty when it is missing.
  package func text(_ name: String) -> String { self[name]?.text ?? "" }
}
