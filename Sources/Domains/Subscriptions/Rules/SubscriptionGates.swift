import DaybookProtocol
import Premium

/// Gates of the domain. Free: any number of subscriptions, the monthly total, upcoming charges, and reminders one day
/// before. (Decisions, Premium; reference part 2, §2.9 and §2.11.)
package enum SubscriptionGates {
  /// The number of subscriptions from which premium is advertised.
  package static let hintCount = 3

  /// The overview fields that need premium, in order.
  package static let overviewFields =
    ["yearly", "yearlyConverted", "projection", "months"].map { GatedField(name: $0, feature: .yearlyProjection) }
    + ["heaviest", "savings", "costPerDay"].map { GatedField(name: $0, feature: .insights) }

  /// Whether to advertise premium with `count` running subscriptions.
  package static func showsUnlockHint(count: Int, hasAccess: Bool) -> Bool { !hasAccess && count >= hintCount }

  /// The lead days in effect, ascending, each once. Without premium it is one day before, unless none are wanted; other
  /// days take effect again with premium.
  package static func reminderDays(wished days: [Int], hasAccess: Bool) -> [Int] {
    guard !days.isEmpty else { return [] }
    let allowed = Gates.reminderDays(hasAccess: hasAccess)
    return hasAccess ? Set(days.filter(allowed.contains)).sorted() : Array(allowed)
  }
}
