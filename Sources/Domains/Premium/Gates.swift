import DaybookProtocol

/// The gates, which depend on `hasPremiumAccess` alone.
package enum Gates {
  package static func answer(_ feature: Feature, hasAccess: Bool) -> FeatureState {
    guard !feature.isFree else { return FeatureState(feature: feature, available: true, reason: .free) }
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
