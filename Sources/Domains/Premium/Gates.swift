import DaybookProtocol

/// The gates, which depend on `hasPremiumAccess` alone.
package enum Gates {
  package static func answer(_ feature: Feature, hasAccess: Bool) -> FeatureState {
    guard feature.isPremium else { return FeatureState(feature: feature, available: true, reason: .free) }
    return FeatureState(feature: feature, available: hasAccess, reason: hasAccess ? .premium : .premiumRequired)
  }

  /// Every feature, in the protocol's order.
  package static func all(hasAccess: Bool) -> [FeatureState] {
    Feature.known.map { answer($0, hasAccess: hasAccess) }
  }

  /// The allowed lead times of a reminder, days.
  package static func reminderDays(hasAccess: Bool) -> ClosedRange<Int> {
    hasAccess ? 0...30 : 1...1
  }
}

extension Feature {
  private static let free: Set<Feature> = [
    .unlimitedSubscriptions, .monthlyTotal, .upcoming, .oneDayReminder, .logging, .training, .nutritionExport,
    .jsonExport,
  ]

  /// Whether it needs premium. Exporting one's own data as JSON never does.
  package var isPremium: Bool { !Feature.free.contains(self) }
}
