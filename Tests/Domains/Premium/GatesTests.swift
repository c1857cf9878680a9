import DaybookProtocol
import Premium
import Testing

struct GatesTests {
  @Test(
    "Each feature is free or premium, as decided",
    arguments: [
      (Feature.unlimitedHabits, true), (.habitReminders, true), (.habitLocations, true), (.yearlyProjection, true),
      (.insights, true), (.reminderTiming, true), (.lock, true), (.subscriptionsExport, true),
      (.personalityInsights, true), (.sync, true), (.unlimitedSubscriptions, false), (.monthlyTotal, false),
      (.upcoming, false), (.oneDayReminder, false), (.logging, false), (.training, false), (.nutritionExport, false),
      (.jsonExport, false),
    ])
  func features(_ feature: Feature, _ isPremium: Bool) {
    let free = Gates.answer(feature, hasAccess: false)
    #expect(free.available == !isPremium)
    #expect(free.reason == (isPremium ? .premiumRequired : .free))
    let paid = Gates.answer(feature, hasAccess: true)
    #expect(paid.available)
    #expect(paid.reason == (isPremium ? .premium : .free))
  }

  @Test("All gates are listed once")
  func all() {
    #expect(Gates.all(hasAccess: true).map(\.feature) == Feature.known)
    #expect(Feature.known.count == 18)
  }

  @Test("A free reminder comes one day before")
  func reminders() {
    #expect(Gates.reminderDays(hasAccess: false) == 1...1)
    #expect(Gates.reminderDays(hasAccess: true) == 0...30)
  }
}
