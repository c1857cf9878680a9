import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import Premium
import Reminders
import SettingsDocument

/// Which screenful is to be shown: the introduction, else the lock, else everything.
extension Session {
  var route: Route { showsOnboarding ? .onboarding : isLocked ? .locked : .main }

  /// Whether the introduction shows: two terms, always.
  var showsOnboarding: Bool { device.flags.forceOnboarding || !hasCompletedOnboarding }

  /// Whether the introduction was ever completed: true if either the store or this device says so.
  var hasCompletedOnboarding: Bool { device.flags.hasCompletedOnboarding || onboardingRecord?.completed == true }

  /// What the store says of the introduction. Before it was first read, its preview.
  var onboardingRecord: OnboardingRecord? {
    guard folder.announcedRevision != nil else { return preview.onboarding }
    if let known = preview.knownOnboarding { return known }
    guard let record = try? snapshot().record(OnboardingRecord.singleID, in: OnboardingRecord.collection),
      let decoded = try? decode(OnboardingRecord.self, record)
    else { return nil }
    preview.knownOnboarding = decoded
    return decoded
  }

  /// The settings that the start, the lock and the days go by. Before the store was first read, their preview.
  var presentSettings: Settings { settingsInForce.value }

  /// The same, not copied.
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

  /// Whether this connection is locked.
  var isLocked: Bool {
    LockRules.isLocked(
      isEnabled: isLockEnabled, standing: entitlement.access.lockStanding, isAuthenticated: lock.isAuthenticated)
  }

  /// Whether the user wants the lock. Where the settings cannot be read, premium counts as a yes.
  var isLockEnabled: Bool {
    let settings = settingsInForce
    return preview.hasReadableSettings ? settings.value.lockEnabled : entitlement.access.lockStanding == .entitled
  }

  /// Tells of another route, if it is another one, behind what has led to it.
  func noteRoute(_ call: inout Call) {
    if let event = routeEvent() { call.events.append(event) }
  }

  /// The same where no request has led to it.
  func tellRoute() {
    if let event = routeEvent() { tellNow(event) }
  }

  private func routeEvent() -> Event? {
    // Before the client listens nothing counts as told.
    guard start.hasBootstrapped, client.hearsEvents else { return nil }
    let present = route
    return told.route(present).map {
      Event(RouteChangedParams.method, RouteChangedParams(route: present, previousRoute: $0))
    }
  }

  /// Takes over what others have changed: the introduction may be complete now, the lock another one, reminders and days too.
  func followChanges() {
    guard start.hasBootstrapped else { return }
    let isComplete = hasCompletedOnboarding
    if isComplete, !told.onboarding, let revision = folder.announcedRevision, revision > 0 {
      tellNow(
        Event(
          OnboardingCompletedParams.method,
          OnboardingCompletedParams(
            revision: revision, origin: .otherProcess, cause: onboardingRecord?.cause ?? .completed)))
    }
    if client.hearsEvents { told.onboarding = isComplete }
    mirrorOnboarding()
    tellRoute()
    rollDay()
    planReminders()
  }

  /// Takes over what this device remembers of a folder that was exchanged, or begins again: nothing of the old one may come
  /// back with the next change.
  func followExchange() {
    guard start.hasBootstrapped else { return }
    device.dropUnsaved()
    entitlement.dropUnsaved()
    readFlags()
    lock.isAuthenticated = false
    reminders.forgetState()
    forgetPremium()
    told.onboarding = hasCompletedOnboarding
    followChanges()
  }

  /// Takes over what is cached instead of what there was. A record is adopted at the next look.
  private func forgetPremium() {
    guard case .missing = cachedPremium() else { return entitlement.file = nil }
    guard entitlement.state.record != nil else { return }
    let wasLoading = entitlement.state.isLoading
    apply(entitlement.state.reset(now: now()), .otherProcess)
    // Its answer counts no more, and somebody may wait for one.
    if wasLoading { verify(.start) }
  }

  /// Does what is to be done because time has passed; called about once a second.
  func letTimePass() {
    guard start.hasBootstrapped else { return }
    if lockWhileAway() { tellRoute() }
    if rollDay() { planReminders() }
    lookAtPremium()
    if FileMark(path: remindersPath) != reminders.file { planReminders() }
    giveDueReminders()
    tellOfPassedTime()
  }

  /// Tells what the domains have to tell because time has passed.
  func tellOfPassedTime() {
    guard client.hearsEvents, let context = try? ownContext() else { return }
    for event in services.all.flatMap({ $0.timePassed(context) }) { tellNow(event) }
  }

  /// Sends an event that no request has led to, if it is wanted; while a message is worked on, behind that.
  func tellNow(_ event: Event) {
    guard isWanted(event) else { return }
    if outgoing.followingEvents != nil {
      outgoing.followingEvents?.append(event)
      return
    }
    guard var frames = outgoing.frames.take() else { return outgoing.lateEvents.append(event) }
    notify(event, &frames)
    outgoing.frames = consume frames
    flush()
  }
}

extension DataFolder.SettingsInForce {
  fileprivate static let defaults = DataFolder.SettingsInForce(SettingsRules.defaults)
}
