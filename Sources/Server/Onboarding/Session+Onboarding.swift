import DomainKit
import SettingsDocument

/// The completion of the onboarding: the same single change for every cause.
extension Session {
  /// The outcome of completing the onboarding.
  struct OnboardingCompletion {
    var wasComplete: Bool
    var revision: Int
    /// Whether nothing could be written, so that it lasts until the process ends.
    var isTemporary = false
  }

  /// Completes the onboarding and saves the choices made in it, in one change. A completed onboarding is no longer
  /// forced, and otherwise unchanged.
  func completeOnboarding(
    _ cause: OnboardingCause, _ choices: OnboardingChoices?, _ call: inout Call
  ) throws(RPCError) -> OnboardingCompletion {
    try check(choices, pointer: "/choices")
    if hasCompletedOnboarding {
      // A forced onboarding saves its choices, and nothing else.
      if device.flags.forceOnboarding, let choices, choices != OnboardingChoices() {
        let old = try settings()
        _ = try store(SettingsRules.applying(OnboardingRules.update(choices), to: old), replacing: old, &call)
      }
      clearForcedOnboarding(&call)
      call.succeedsWithoutDisk = call.revision == nil
      return OnboardingCompletion(wasComplete: true, revision: try revision())
    }
    let draft = OnboardingRules.merging(choices, into: onboardingRecord?.choices)
    let old = try settings()
    // A returning user keeps their settings.
    let new =
      cause == .returningUser ? old : SettingsRules.applying(OnboardingRules.update(draft), to: old)
    let changed = SettingsChanges.names(from: old, to: new)
    let record = OnboardingRecord(
      completed: true, cause: cause, completedAt: now(), step: onboardingRecord?.step, choices: draft)
    var operations = [try put(record)]
    if !changed.isEmpty { operations.insert(try put(new), at: 0) }
    let revision: Int
    do throws(RPCError) { revision = try commit(operations, &call) } catch {
      guard error.code == ErrorName.storeReadOnly.code else { throw error }
      return try completeTemporarily(&call)
    }
    announced.onboarding = true
    call.emit(
      OnboardingCompletedParams.method,
      OnboardingCompletedParams(revision: revision, origin: .thisFrontend, cause: cause))
    device.flags.forceOnboarding = false
    appendRouteChange(&call)
    // The mirror follows the store: it must not claim what is not durable.
    call.afterReply { session in
      session.mirrorOnboarding()
      session.planReminders()
    }
    return OnboardingCompletion(wasComplete: false, revision: revision)
  }

  /// Completes the onboarding until this process ends, where nothing can be written.
  private func completeTemporarily(_ call: inout Call) throws(RPCError) -> OnboardingCompletion {
    changeFlags { flags in
      flags.hasCompletedOnboarding = true
      flags.forceOnboarding = false
    }
    announced.onboarding = true
    appendRouteChange(&call)
    call.succeedsWithoutDisk = true
    return OnboardingCompletion(wasComplete: false, revision: try revision(), isTemporary: true)
  }

  private func clearForcedOnboarding(_ call: inout Call) {
    guard device.flags.forceOnboarding else { return }
    changeFlags { $0.forceOnboarding = false }
    appendRouteChange(&call)
  }

  /// Copies the completion from the store to this device, so that neither a restore nor an import undoes it.
  func mirrorOnboarding() {
    guard onboardingRecord?.completed == true, !device.flags.hasCompletedOnboarding else { return }
    if let store {
      // Waits, which happens once per device: what is not durable must not be remembered.
      store.waitUntilDurable()
      guard !store.hasFailed, store.durableRevision >= folder.latestRevision else { return }
    }
    changeFlags { flags in
      flags.hasCompletedOnboarding = true
      flags.forceOnboarding = false
    }
  }

  /// Refuses choices that are well-formed but invalid.
  func check(_ choices: OnboardingChoices?, pointer: String) throws(RPCError) {
    guard let choices else { return }
    let problem =
      TypedMeasures.problem(in: choices, pointer: pointer)
      ?? SettingsRules.refusal(ofTimes: choices.mealReminders, pointer: pointer + "/mealReminders")
      ?? SettingsRules.refusal(ofCurrency: choices.currency, pointer: pointer + "/currency")
    if let problem { throw RPCError(problem) }
    try checkCurrency(choices.currency, pointer: pointer + "/currency")
  }

  /// Refuses a currency that a domain cannot reckon with; one that is already set or chosen may stay.
  func checkCurrency(_ code: String?, pointer: String) throws(RPCError) {
    guard let code, try code != settings().currency, code != onboardingRecord?.choices.currency else { return }
    for service in Services.types { try service.checkCurrency(code, pointer: pointer) }
  }
}
