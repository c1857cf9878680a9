/// What somebody may or may not do, by name.
package enum Feature: String, CaseIterable, Sendable {
  // With premium.
  case unlimitedHabits
  case habitReminders
  case habitLocations
  case yearlyProjection
  case insights
  case reminderTiming
  case lock
  case subscriptionsExport
  case personalityInsights
  case sync
  // For everybody.
  case unlimitedSubscriptions
  case monthlyTotal
  case upcoming
  case oneDayReminder
  case logging
  case training
  case nutritionExport
  case jsonExport

  /// Whether it takes premium. Getting one's own data out as JSON never does.
  package var isPremium: Bool {
    switch self {
    case .unlimitedHabits, .habitReminders, .habitLocations, .yearlyProjection, .insights, .reminderTiming, .lock,
      .subscriptionsExport, .personalityInsights, .sync:
      true
    case .unlimitedSubscriptions, .monthlyTotal, .upcoming, .oneDayReminder, .logging, .training, .nutritionExport,
      .jsonExport:
      false
    }
  }
}
