/// The number of active habits, which are those not archived. Habits above the limit stay usable.
package enum HabitLimit {
  /// The number without premium.
  private static let free = 5

  /// How many habits may be active; nil for any number.
  package static func active(hasAccess: Bool) -> Int? { hasAccess ? nil : free }

  /// Whether another habit may become active in addition to `active` ones.
  package static func mayActivate(active: Int, hasAccess: Bool) -> Bool {
    self.active(hasAccess: hasAccess).map { active < $0 } ?? true
  }
}
