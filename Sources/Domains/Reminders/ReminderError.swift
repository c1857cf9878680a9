/// A refusal by the reminder rules.
package struct ReminderError: Error, Hashable, Sendable {
  /// The kind of refusal.
  package enum Code: Sendable {
    /// A source or item with characters that an id cannot contain.
    case invalidName
    /// A text that is not a reminder id.
    case invalidID
    /// A number outside its range.
    case outOfRange
    /// A reminder that is already done or skipped.
    case alreadyHandled
    /// An action other than done or skip.
    case notAnOutcome
  }

  package let code: Code
  /// One sentence for people.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
