import DaybookProtocol

/// The user's settings for all reminders.
package struct ReminderSettings: Hashable, Sendable {
  package var isEnabled: Bool
  /// Reminders in these hours come when they end.
  package var quietHours: QuietHours?
  package var disabledSources: Set<ReminderSource>

  package init(isEnabled: Bool = true, quietHours: QuietHours? = nil, disabledSources: Set<ReminderSource> = []) {
    self.isEnabled = isEnabled
    self.quietHours = quietHours
    self.disabledSources = disabledSources
  }
}
