/// Something that a subscription cannot be, though each member has its form.
package struct SubscriptionProblem: Error, Hashable, Sendable {
  /// What kind of rule it breaks.
  package enum Rule: String, CaseIterable, Sendable {
    /// There is nothing where something must be.
    case missing
    /// Longer, or more, than allowed.
    case length
    /// Outside what is allowed.
    case range
    /// More digits after the point than allowed.
    case precision
    /// Not of the form it should have.
    case form
    /// The same twice.
    case repeated
    /// Not in order, or overlapping.
    case order
    /// Against something else that was said.
    case conflict
  }

  /// The JSON Pointer of the member.
  package let pointer: String
  /// The kind of rule.
  package let rule: Rule
  /// What is wrong, in words.
  package let message: String
  /// What would have been accepted, in words.
  package let allowed: String

  package init(_ pointer: String, _ rule: Rule, _ message: String, allowed: String) {
    self.pointer = pointer
    self.rule = rule
    self.message = message
    self.allowed = allowed
  }
}

/// The limits of a subscription's members.
package enum SubscriptionLimits {
  /// Characters of a name.
  package static let name = 1...200
  /// Characters of a way to pay.
  package static let paymentMethod = 100
  /// Characters of a note.
  package static let note = 10_000
  /// Characters of an address.
  package static let url = 2000
  /// Tags.
  package static let tags = 20
  /// Characters of a tag.
  package static let tag = 1...50
  /// Days before a charge.
  package static let reminderDays = 1...7
  /// Digits after the point of an amount.
  package static let amountDigits = 4
  /// Prices, shares, pauses or former terms.
  package static let history = 1000
  /// Marks: those of a daily charge for over twenty-five years.
  package static let marks = 10_000
}
