#if DEBUG
  import CivilTime
  import DaybookProtocol
  import FileStore
  import JSON
  import JSONRPC
  import Values

  extension Session {
    func debugResetOnboarding(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugResetOnboardingResult {
      var revision = try revision()
      if try snapshot().record(SessionConstants.onboardingID, in: SessionConstants.onboarding) != nil {
        revision = try commit([.delete(SessionConstants.onboarding, id: SessionConstants.onboardingID)], &call)
      }
      changeFlags { $0.hasCompletedOnboarding = false }
      onboardingCache = nil
      toldOnboarding = false
      noteRoute(&call)
      return DebugResetOnboardingResult(route: route, revision: revision)
    }

    func debugClock(_ params: DebugClockParams, _ call: inout Call) throws(RPCError) -> DebugClockResult {
      toldDay = toldDay ?? today
      clockOverride.set(params.now)
      call.afterwards { session in
        session.rollDay()
        session.lookAtPremium()
        session.giveDueReminders()
        session.planReminders()
      }
      return DebugClockResult(now: now())
    }

    func debugAddSamples(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugAddSamplesResult {
      let week = weekOf(today)
      guard try snapshot().records(in: SessionConstants.meals, days: week, limit: 1).isEmpty else {
        return DebugAddSamplesResult(added: 0, revision: try revision())
      }
      var meals: [Meal] = []
      var day = week.lowerBound
      while day <= week.upperBound {
        for (name, kind) in [("Breakfast", MealType.breakfast), ("Lunch", .lunch), ("Dinner", .dinner)] {
          meals.append(
            Meal(
              id: options.newID(), day: day, zone: zoneName, name: "Debug \(name)", calories: 700, mealType: kind,
              protein: Decimal(25), carbs: Decimal(50), fat: Decimal(50), createdAt: now(), updatedAt: now()))
        }
        day = day.advanced(by: 1)
      }
      let operations = try meals.map { meal throws(RPCError) in try put(meal, keeping: nil) }
      let revision = try commit(operations, ofNewRecords: options.newIDsAreUnique, &call)
      let changes = meals.map { KeptChange(id: $0.id, kind: .added, day: $0.day) }
      announce(Meal.self, changes, revision, &call)
      return DebugAddSamplesResult(added: meals.count, revision: revision)
    }

    func debugClearAll(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugClearAllResult {
      let present = try snapshot()
      let logged = Session.keptEntities.map { ($0, present.records(in: $0.collection)) }.filter { !$0.1.isEmpty }
      let entries = present.records(in: SessionConstants.days)
      var operations = logged.flatMap { type, records in
        records.map { Operation.delete(type.collection, id: $0.id) }
      }
      operations += entries.map { .delete(SessionConstants.days, id: $0.id) }
      guard !operations.isEmpty else { return DebugClearAllResult(deleted: 0, revision: try revision()) }
      let revision = try commit(operations, &call)
      for (type, records) in logged {
        let changes = records.map { KeptChange(id: $0.id, kind: .deleted, day: $0.day) }
        call.events.append(type.event(changes, revision, .thisFrontend))
      }
      if !entries.isEmpty {
        let changes = entries.compactMap { record in
          record.day.map { DayChange(id: record.id, kind: .deleted, day: $0) }
        }
        announce(changes, revision, &call)
      }
      return DebugClearAllResult(deleted: operations.count, revision: revision)
    }
  }
#endif
