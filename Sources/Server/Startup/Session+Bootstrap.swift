import DomainKit
import Premium

/// The first phase of a start: reads local state in a fixed order, and waits for nothing external.
extension Session {
  /// Runs the phase, once; when the folder cannot be used, the next request tries again.
  func bootstrap() throws(RPCError) {
    guard !start.hasBootstrapped else { return }
    defer { store?.endPreviews() }
    try step(.logger) { .done("lines of \(log.level.name) and graver") }
    try step(.flags) { readFlags() }
    try step(.premium) { readPremium() }
    try step(.pendingRestore) { restorePending(folderConfiguration) }
    try step(.store) { () throws(RPCError) in
      // The next steps read single records.
      try beginPreviews()
      return .done("revision \(try latestRevisionOnDisk())")
    }
    try step(.settings) { () throws(RPCError) in try previewSettings() }
    try step(.route) {
      announced.route = route
      announced.onboarding = hasCompletedOnboarding
      return .done(announced.route.rawValue)
    }
    try step(.quickActions) { .done("\(Services.quickActions.count) actions") }
    try step(.launchReason) { .done(start.timeline.launchReason.rawValue) }
    if start.timeline.launchReason == .location {
      try step(.locationLaunch) { .skipped("no domain has locations yet") }
    }
    services.offers.reminders = { [unowned self] days throws(RPCError) in try self.reminders(on: days) }
    start.hasBootstrapped = true
    start.timeline.endBootstrap()
  }

  private func step(
    _ step: BootstrapStep, _ body: () throws(RPCError) -> TaskOutcome
  ) throws(RPCError) {
    let began = start.timeline.elapsed
    do throws(RPCError) {
      start.timeline.note(step, startedAfter: began, try body())
    } catch {
      start.timeline.note(step, startedAfter: began, .failed(error.message))
      throw error
    }
  }

  // MARK: the steps

  @discardableResult
  func readFlags() -> TaskOutcome {
    // A repeated bootstrap must not drop changes that are not written yet.
    guard device.isSaved else { return .done("as they are in memory, for they are not written yet") }
    let isForced = start.hasBootstrapped ? device.flags.forceOnboarding : options.forcesOnboarding
    defer { device.flags.forceOnboarding = device.flags.forceOnboarding || isForced }
    switch smallFile(.flags).read() {
    case .missing:
      device.load(nil)
      return .done("there is no flags.json")
    case .damaged(let reason):
      log.warning(.startup, "flags.json is passed over: \(public: reason)")
      return .failed("flags.json is damaged")
    case .value(let object):
      device.load(Flags(object, device: deviceZone.name, now: now()))
      return .done(
        device.flags.hasCompletedOnboarding ? "the introduction is complete" : "the introduction is not complete")
    }
  }

  private func readPremium() -> TaskOutcome {
    guard !entitlement.state.isVerified, !entitlement.state.isLoading else {
      return .done("the store of record was asked meanwhile")
    }
    let cached = cachedPremium()
    entitlement.state = Premium.PremiumState(
      cached: cached, clockMark: device.flags.clockMark, toastFlag: device.flags.hasShownPremiumRestartToast, now: now()
    )
    switch cached {
    case .missing: return .done("nothing is cached")
    case .damaged: return .failed("premium.json is damaged, and passed over")
    case .record(let record):
      let (state, now) = (entitlement.state, now())
      if state.isFutureDated(now) {
        log.warning(.premiumCache, "the cached record is dated \(public: record.checkedAt), in the future")
      }
      if state.isStale(now) {
        log.info(.premiumCache, "the cached record of \(public: record.checkedAt) is stale, and used")
      }
      return .done("\(state.status(now).name), checked \(record.checkedAt)\(state.isStale(now) ? ", stale" : "")")
    }
  }

  /// Previews the settings, and the onboarding record if the flags do not say that it is complete: two records, found
  /// without reading the rest.
  private func previewSettings() throws(RPCError) -> TaskOutcome {
    let record = try preview(Settings.singleID, in: Settings.collection)
    var outcome = TaskOutcome.done(record == nil ? "the defaults" : "as set")
    if let record {
      do throws(RPCError) { preview.settings = .init(try decode(Settings.self, record)) } catch {
        // The lock fails closed: see `isLockEnabled`.
        outcome = .failed(error.message)
      }
    }
    preview.hasReadableSettings = outcome.state == .done
    if !device.flags.hasCompletedOnboarding,
      let record = try preview(OnboardingRecord.singleID, in: OnboardingRecord.collection)
    {
      preview.onboarding = try? decode(OnboardingRecord.self, record)
    }
    return outcome
  }

  /// One stored record, found without reading the rest.
  private func preview(_ id: EntityID, in collection: CollectionName) throws(RPCError) -> Record? {
    try withStore { store throws(StoreError) in try store.preview(id, in: collection) }
  }
}
