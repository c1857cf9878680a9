/// Why something about reminders was refused.
package struct ReminderError: Error, Hashable, Sendable {
  /// What kind of refusal it was; more kinds may come.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as it appears in structured data.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A source or item that an id cannot be made of.
    package static let invalidName = Code(rawValue: "invalidReminderName")
    /// A text that is no reminder's id.
    package static let invalidID = Code(rawValue: "invalidReminderID")
    /// A number outside its range.
    package static let outOfRange = Code(rawValue: "outOfRange")
    /// A reminder that was done or skipped before.
    package static let alreadyHandled = Code(rawValue: "reminderAlreadyHandled")
    /// An action that does not settle a reminder.
    package static let notAnOutcome = Code(rawValue: "notAnOutcome")
  }

  /// What kind of refusal it was.
  package let code: Code
  /// One sentence for people.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReminderError: CustomStringConvertible {
  /// The message.
  package var description: String { message }
}
