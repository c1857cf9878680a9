import DaybookProtocol
import Premium

/// What takes premium. Free are any number of subscriptions, the monthly total, what is upcoming, and reminders one day before.
/// (Decisions, Premium; reference part 2, §2.9 and §2.11.)
package enum SubscriptionGates {
  /// From how many subscriptions on there is a hint at what premium shows.
  package static let hintCount = 3

  /// The fields of an overview that are absent without premium, in their order.
  package static let overviewFields =
    ["yearly", "yearlyConverted", "projection", "months"].map { GatedField(name: $0, feature: .yearlyProjection) }
    + ["heaviest", "savings", "costPerDay"].map { GatedField(name: $0, feature: .insights) }

  /// Whether to hint at what premium shows, with so many subscriptions that go on. Without premium the offer can be opened at any
  /// count.
  package static func showsUnlockHint(count: Int, hasAccess: Bool) -> Bool { !hasAccess && count >= hintCount }

  /// The days before a charge that are reminded of: what was wished for, as far as one may have it. Ascending, each once. Without
  /// premium it is the day before, unless nothing is wished for; what was set with premium comes back with it.
  package static func reminderDays(wished days: [Int], hasAccess: Bool) -> [Int] {
    guard !days.isEmpty else { return [] }
    let allowed = Gates.reminderDays(hasAccess: hasAccess)
    return hasAccess ? Set(days.filter(allowed.contains)).sorted() : Array(allowed)
  }
}
