import DaybookProtocol

/// What a person decided about reminders as a whole.
package struct ReminderSettings: Hashable, Sendable {
  /// Whether there are any.
  package var isEnabled: Bool
  /// When none may disturb; they come when it ends.
  package var quietHours: QuietHours?
  /// Domains that shall not remind.
  package var disabledSources: Set<ReminderSource>

  package init(isEnabled: Bool = true, quietHours: QuietHours? = nil, disabledSources: Set<ReminderSource> = []) {
    self.isEnabled = isEnabled
    self.quietHours = quietHours
    self.disabledSources = disabledSources
  }
}
