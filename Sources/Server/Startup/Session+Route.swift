import DomainKit
import Platform
import Premium
import SettingsDocument

/// The screen to show: the onboarding, else the lock, else everything.
extension Session {
  var route: Route { showsOnboarding ? .onboarding : isLocked ? .locked : .main }

  /// Whether the onboarding shows: two terms, always.
  var showsOnboarding: Bool { device.flags.forceOnboarding || !hasCompletedOnboarding }

  /// Whether the onboarding was ever completed: true if either the store or this device says so.
  var hasCompletedOnboarding: Bool { device.flags.hasCompletedOnboarding || onboardingRecord?.completed == true }

  /// The onboarding record. Before the store is read, its preview.
  var onboardingRecord: OnboardingRecord? {
    guard folder.announcedRevision != nil else { return preview.onboarding }
    if let known = preview.knownOnboarding { return known }
    guard let record = try? snapshot().record(OnboardingRecord.singleID, in: OnboardingRecord.collection),
      let decoded = try? decode(OnboardingRecord.self, record)
    else { return nil }
    preview.knownOnboarding = decoded
    return decoded
  }

  /// The settings in force. Before the store is read, their preview.
  var presentSettings: Settings { settingsInForce.value }

  /// The same, without a copy.
  var settingsInForce: DataFolder.SettingsInForce {
    guard folder.announcedRevision != nil else { return preview.settings ?? .defaults }
    do throws(RPCError) {
      _ = try revision()
      let inForce = try folder.settingsInForce()
      preview.hasReadableSettings = true
      return inForce
    } catch {
      preview.hasReadableSettings = false
      return .defaults
    }
  }

  var isLocked: Bool {
    LockRules.isLocked(
      isEnabled: isLockEnabled, standing: entitlement.access.lockStanding, isAuthenticated: lock.isAuthenticated)
  }

  /// Whether the lock is enabled. With premium it counts as enabled while the settings cannot be read.
  var isLockEnabled: Bool {
    let settings = settingsInForce
    return preview.hasReadableSettings ? settings.value.lockEnabled : entitlement.access.lockStanding == .entitled
  }

  /// Adds the event for a changed route to those of a request.
  func appendRouteChange(_ call: inout Call) {
    if let event = routeEvent() { call.events.append(event) }
  }

  /// Sends the event for a changed route that no request has caused.
  func emitRouteChange() {
    if let event = routeEvent() { emit(event) }
  }

  private func routeEvent() -> Event? {
    // Without a listening client the route is not announced.
    guard start.hasBootstrapped, client.receivesEvents else { return nil }
    let present = route
    return announced.updateRoute(present).map {
      Event(RouteChangedParams.method, RouteChangedParams(route: present, previousRoute: $0))
    }
  }

  /// Updates what depends on the store after a change: onboarding, lock, reminders and days.
  func refreshDerivedState() {
    guard start.hasBootstrapped else { return }
    let isComplete = hasCompletedOnboarding
    if isComplete, !announced.onboarding, let revision = folder.announcedRevision, revision > 0 {
      emit(
        OnboardingCompletedParams.method,
        OnboardingCompletedParams(
          revision: revision, origin: .otherProcess, cause: onboardingRecord?.cause ?? .completed))
    }
    if client.receivesEvents { announced.onboarding = isComplete }
    mirrorOnboarding()
    emitRouteChange()
    rollDay()
    planReminders()
  }

  /// Reloads this device's state after the folder was replaced or reset: nothing of the old folder may be written with
  /// the next change.
  func reloadAfterReplacement() {
    guard start.hasBootstrapped else { return }
    device.dropUnsaved()
    entitlement.dropUnsaved()
    readFlags()
    lock.isAuthenticated = false
    reminders.forgetState()
    forgetPremium()
    announced.onboarding = hasCompletedOnboarding
    refreshDerivedState()
  }

  /// Resets premium to what is cached. A cached record is adopted at the next refresh.
  private func forgetPremium() {
    guard case .missing = cachedPremium() else { return entitlement.file = nil }
    guard entitlement.state.record != nil else { return }
    let wasLoading = entitlement.state.isLoading
    apply(entitlement.state.reset(now: now()), .otherProcess)
    // Its answer is ignored, and a request may wait for one.
    if wasLoading { verify(.start) }
  }

  /// Does periodic work; called about once a second.
  func tick() {
    guard start.hasBootstrapped else { return }
    if lockAfterAbsence(isBack: false) { emitRouteChange() }
    if rollDay() { planReminders() }
    refreshPremium()
    if FileMark(path: remindersPath) != reminders.file { planReminders() }
    deliverDueReminders()
    emitTimeEvents()
    atDesk { rooms, desk in rooms.sync.tick(&desk) }
  }

  /// Sends the domains' events for passed time.
  func emitTimeEvents() {
    guard client.receivesEvents, let context = try? ownContext() else { return }
    for event in services.all.flatMap({ $0.tick(context) }) { emit(event) }
  }

  func emit(_ method: StaticString, _ params: some JSONEncodable) { emit(Event(method, params)) }

  /// Sends an event that no request has caused, if it is wanted; while a message is being processed, after its reply.
  func emit(_ event: Event) {
    guard isWanted(event) else { return }
    if outgoing.collectedEvents != nil {
      outgoing.collectedEvents?.append(event)
      return
    }
    guard withFrames({ notify(event, &$0) }) else { return outgoing.deferredEvents.append(event) }
    flush()
  }
}

extension DataFolder.SettingsInForce {
  fileprivate static let defaults = DataFolder.SettingsInForce(SettingsRules.defaults)
}
