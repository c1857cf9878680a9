import DaybookProtocol

/// The gates: functions of the one value `hasPremiumAccess`, and of nothing else about premium.
package enum Gates {
  /// Active habits (not archived) without premium.
  package static let freeHabits = 5
  /// The lead times of a reminder without premium, days.
  package static let freeReminderDays = 1...1
  /// The lead times of a reminder with premium, days.
  package static let premiumReminderDays = 0...30

  /// Whether a feature may be used.
  package static func answer(_ feature: Feature, hasAccess: Bool) -> FeatureState {
    guard feature.isPremium else { return FeatureState(feature: feature, available: true, reason: .free) }
    return FeatureState(feature: feature, available: hasAccess, reason: hasAccess ? .premium : .premiumRequired)
  }

  /// Every feature, in the order of their declaration.
  package static func all(hasAccess: Bool) -> [FeatureState] {
    Feature.known.map { answer($0, hasAccess: hasAccess) }
  }

  /// How many habits may be active at once, nil for any number.
  package static func habitLimit(hasAccess: Bool) -> Int? { hasAccess ? nil : freeHabits }

  /// Whether a further habit may become active beside `active` ones. Those above the limit stay usable.
  package static func mayActivateHabit(active: Int, hasAccess: Bool) -> Bool {
    habitLimit(hasAccess: hasAccess).map { active < $0 } ?? true
  }

  /// The lead times a reminder may have, days.
  package static func reminderDays(hasAccess: Bool) -> ClosedRange<Int> {
    hasAccess ? premiumReminderDays : freeReminderDays
  }
}
