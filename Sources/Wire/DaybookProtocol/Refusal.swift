import JSONRPC

/// Why a domain rule refuses a well-formed value.
package struct Refusal: Error, Hashable, Sendable {
  /// The kind of rule.
  package enum Rule: String, CaseIterable, Sendable {
    /// A required value is missing.
    case missing
    /// Too long or too many.
    case length
    /// Outside the allowed range.
    case range
    /// More digits after the point than allowed.
    case precision
    /// Not in the required form.
    case form
    /// A duplicate.
    case repeated
    /// Out of order, or overlapping.
    case order
    /// In conflict with another value.
    case conflict
    /// Refused by a domain that does not distinguish kinds.
    case other
  }

  /// The JSON Pointer to the member.
  package let pointer: String
  /// The kind of rule that refuses it.
  package let rule: Rule
  /// What is wrong, in words.
  package let message: String
  /// What is allowed, in words; may be empty.
  package let allowed: String

  package init(_ pointer: String, _ rule: Rule, _ message: String, allowed: String = "") {
    self.pointer = pointer
    self.rule = rule
    self.message = message
    self.allowed = allowed
  }

  /// A refusal by a domain that does not distinguish kinds.
  package init(_ pointer: String, _ message: String, allowed: String = "") {
    self.init(pointer, .other, message, allowed: allowed)
  }

  /// The refusal with its pointer prefixed by `place`.
  package func inside(_ place: String) -> Refusal { Refusal(place + pointer, rule, message, allowed: allowed) }
}

extension RPCError {
  /// The error for refused params; `names` maps pointers of a stored value to those of the request where they differ.
  package init(_ refusal: Refusal, names: [String: String] = [:], hint: String? = nil) {
    self.init(
      .invalidParams, refusal.message, pointer: names[refusal.pointer] ?? refusal.pointer,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed, hint: hint)
  }
}
