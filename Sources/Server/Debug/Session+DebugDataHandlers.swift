#if DEBUG
  import DomainKit
  import CivilTime
  import DaybookProtocol
  import FileStore
  import JSON
  import JSONRPC
  import Subscriptions
  import Values

  extension Session {
    func debugResetOnboarding(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugResetOnboardingResult {
      var revision = try revision()
      if try snapshot().record(OnboardingRecord.singleID, in: OnboardingRecord.collection) != nil {
        revision = try commit([.delete(OnboardingRecord.collection, id: OnboardingRecord.singleID)], &call)
      }
      changeFlags { $0.hasCompletedOnboarding = false }
      preview.knownOnboarding = nil
      announced.onboarding = false
      appendRouteChange(&call)
      return DebugResetOnboardingResult(route: route, revision: revision)
    }

    func debugClock(_ params: DebugClockParams, _ call: inout Call) throws(RPCError) -> DebugClockResult {
      announced.day = announced.day ?? today
      host.setClock(params.now)
      call.afterReply { session in
        session.rollDay()
        session.refreshPremium()
        session.deliverDueReminders()
        session.emitTimeEvents()
        session.planReminders()
      }
      return DebugClockResult(now: now())
    }

    func debugAddSamples(
      _ params: DebugAddSamplesParams, _ call: inout Call
    ) throws(RPCError) -> DebugAddSamplesResult {
      let domains = params.domains ?? [.meals, .subscriptions]
      if let place = domains.firstIndex(where: { $0 != .meals && $0 != .subscriptions }) {
        throw RPCError(
          .invalidParams, "there are no samples of \(domains[place].rawValue)", pointer: "/domains/\(place)",
          allowed: "meals or subscriptions")
      }
      let meals = domains.contains(.meals) ? try sampleMeals() : []
      let subscriptions = domains.contains(.subscriptions) ? try sampleSubscriptions() : []
      let context = try ownContext()
      let operations =
        try meals.map { meal throws(RPCError) in try context.put(meal, keeping: nil) }
        + subscriptions.map { subscription throws(RPCError) in try context.put(subscription, keeping: nil) }
      let revision = try commit(operations, ofNewRecords: options.newIDsAreUnique, &call)
      return DebugAddSamplesResult(
        added: operations.count, meals: meals.count, subscriptions: subscriptions.count, revision: revision)
    }

    /// Three meals a day of the current week; none if the week has any.
    private func sampleMeals() throws(RPCError) -> [Meal] {
      let firstWeekday = WeekStart.firstWeekday(set: presentSettings.firstWeekday, locale: client.locale)
      let week = today.week(from: firstWeekday.index)
      guard try snapshot().records(in: Meal.collection, days: week, limit: 1).isEmpty else { return [] }
      var meals: [Meal] = []
      for day in week.days {
        for (name, kind) in [("Breakfast", MealType.breakfast), ("Lunch", .lunch), ("Dinner", .dinner)] {
          meals.append(
            Meal(
              id: options.newID(), day: day, zone: zoneName, name: "Debug \(name)", calories: 700, mealType: kind,
              protein: Decimal(25), carbs: Decimal(50), fat: Decimal(50), createdAt: now(), updatedAt: now()))
        }
      }
      return meals
    }

    /// The seven samples; none if there are subscriptions.
    private func sampleSubscriptions() throws(RPCError) -> [DaybookProtocol.Subscription] {
      guard try snapshot().records(in: Subscription.collection, limit: 1).isEmpty,
        let currency = Currency(try settings().currency)
      else { return [] }
      let lengths = SampleSubscriptions.leadDays
      return SampleSubscriptions.make(today: today, now: now(), currency: currency, id: options.newID) {
        lengths.lowerBound + Int(options.randomFraction() * Double(lengths.count))
      }
    }

    private static let keptAtClearing = [Settings.collection, OnboardingRecord.collection]

    func debugClearAll(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugClearAllResult {
      let present = try snapshot()
      var operations: [Operation] = []
      var deleted = 0
      for collection in present.collections where !Session.keptAtClearing.contains(collection) {
        let records = present.records(in: collection)
        operations += records.map { .delete(collection, id: $0.id) }
        if !SessionConstants.ownCollections.contains(collection) { deleted += records.count }
      }
      guard !operations.isEmpty else { return DebugClearAllResult(deleted: 0, revision: try revision()) }
      return DebugClearAllResult(deleted: deleted, revision: try commit(operations, &call))
    }
  }
#endif
