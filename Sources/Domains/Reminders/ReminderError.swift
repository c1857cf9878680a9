/// A refusal by the reminder rules.
package struct ReminderError: Error, Hashable, Sendable {
  /// The kind of refusal.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A source or item with characters that an id cannot contain.
    package static let invalidName = Code(rawValue: "invalidReminderName")
    /// A text that is not a reminder id.
    package static let invalidID = Code(rawValue: "invalidReminderID")
    /// A number outside its range.
    package static let outOfRange = Code(rawValue: "outOfRange")
    /// A reminder that is already done or skipped.
    package static let alreadyHandled = Code(rawValue: "reminderAlreadyHandled")
    /// An action other than done or skip.
    package static let notAnOutcome = Code(rawValue: "notAnOutcome")
  }

  package let code: Code
  /// One sentence for people.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReminderError: CustomStringConvertible {
  package var description: String { message }
}
