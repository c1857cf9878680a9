#if DEBUG
  import DomainKit
  import CivilTime
  import DaybookProtocol
  import FileStore
  import JSON
  import JSONRPC
  import SyncEngine
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
      let sampled = Services.types.flatMap { $0.sampled }
      let domains = params.domains ?? sampled
      if let place = domains.firstIndex(where: { !sampled.contains($0) }) {
        throw RPCError(
          .invalidParams, "there are no samples of \(domains[place].rawValue)", pointer: "/domains/\(place)",
          allowed: sampled.map(\.rawValue).joined(separator: " or "))
      }
      let context = try ownContext()
      var operations: [Operation] = []
      for service in services.all where type(of: service).sampled.contains(where: domains.contains) {
        operations += try service.samples(context, fraction: options.randomFraction)
      }
      let added = operations.count
      func count(_ collection: String) -> Int { operations.count { $0.collection.rawValue == collection } }
      let (meals, subscriptions) = (count("meals"), count("subscriptions"))
      let revision = try commit(operations, ofNewRecords: options.newIDsAreUnique, &call)
      return DebugAddSamplesResult(added: added, meals: meals, subscriptions: subscriptions, revision: revision)
    }

    /// The settings, the introduction, and what sync keeps account of: deletions are to reach other devices.
    private func isKeptAtClearing(_ collection: CollectionName) -> Bool {
      collection == Settings.collection || collection == OnboardingRecord.collection
        || SyncParticipant.internalCollections.contains(collection)
    }

    func debugClearAll(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DebugClearAllResult {
      let present = try snapshot()
      var operations: [Operation] = []
      var deleted = 0
      for collection in present.collections where !isKeptAtClearing(collection) {
        let records = present.records(in: collection)
        operations += records.map { .delete(collection, id: $0.id) }
        if !SessionConstants.ownCollections.contains(collection) { deleted += records.count }
      }
      guard !operations.isEmpty else { return DebugClearAllResult(deleted: 0, revision: try revision()) }
      return DebugClearAllResult(deleted: deleted, revision: try commit(operations, &call))
    }
  }
#endif
