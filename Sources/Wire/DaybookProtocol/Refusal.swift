import JSONRPC

/// Why the rules refuse a value that has the right form.
package struct Refusal: Error, Hashable, Sendable {
  /// The kind of rule that is broken.
  package enum Rule: String, CaseIterable, Sendable {
    /// A required value is not there.
    case missing
    /// Longer, or more, than allowed.
    case length
    /// Outside what is allowed.
    case range
    /// More digits after the point than allowed.
    case precision
    /// Not of the required form.
    case form
    /// The same twice.
    case repeated
    /// Not in order, or overlapping.
    case order
    /// In conflict with another value.
    case conflict
    /// Refused by a domain that does not tell kinds apart.
    case other
  }

  /// The JSON Pointer of the member.
  package let pointer: String
  /// Which kind of rule refuses it.
  package let rule: Rule
  /// What is wrong, in words.
  package let message: String
  /// What is allowed, in words; empty when there is nothing to say.
  package let allowed: String

  /// A refusal by a rule of that kind.
  package init(_ pointer: String, _ rule: Rule, _ message: String, allowed: String = "") {
    self.pointer = pointer
    self.rule = rule
    self.message = message
    self.allowed = allowed
  }

  /// A refusal by a domain that does not tell kinds apart.
  package init(_ pointer: String, _ message: String, allowed: String = "") {
    self.init(pointer, .other, message, allowed: allowed)
  }

  /// The same, for a value that is at `place` in a larger one.
  package func inside(_ place: String) -> Refusal { Refusal(place + pointer, rule, message, allowed: allowed) }
}

extension RPCError {
  /// The answer to params that the rules refuse; `names` maps the pointers of a stored value to those of the request, where they differ.
  package init(_ refusal: Refusal, names: [String: String] = [:], hint: String? = nil) {
    self.init(
      .invalidParams, refusal.message, pointer: names[refusal.pointer] ?? refusal.pointer,
      allowed: refusal.allowed.isEmpty ? nil : refusal.allowed, hint: hint)
  }
}
