import CivilTime
import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import SettingsDocument
import SubscriptionsService
import Values

/// The introduction's end, by any of its causes: always the same change, once.
extension Session {
  /// What came of completing the introduction.
  struct OnboardingCompletion {
    var wasComplete: Bool
    var revision: Int
    /// Whether nothing of it could be written down.
    var isTemporary = false
  }

  /// Completes the introduction and saves what was chosen in it, in one change. Where it is complete, nothing is changed but that it is
  /// not forced any more.
  func completeOnboarding(
    _ cause: OnboardingCause, _ choices: OnboardingChoices?, _ call: inout Call
  ) throws(RPCError) -> OnboardingCompletion {
    try check(choices, pointer: "/choices")
    if hasCompletedOnboarding {
      // Forced to show once more, it takes the choices made in it, and nothing else.
      if device.flags.forceOnboarding, let choices, choices != OnboardingChoices() {
        let old = try settings()
        _ = try store(SettingsRules.applying(OnboardingRules.update(choices), to: old), replacing: old, &call)
      }
      endForcing(&call)
      call.holdsWithoutDisk = call.revision == nil
      return OnboardingCompletion(wasComplete: true, revision: try revision())
    }
    let draft = OnboardingRules.merging(choices, into: onboardingRecord?.choices)
    let old = try settings()
    // Somebody who was here before keeps the settings.
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
      return try completeUntilTheEnd(&call)
    }
    told.onboarding = true
    call.events.append(
      Event(
        OnboardingCompletedParams.method,
        OnboardingCompletedParams(revision: revision, origin: .thisFrontend, cause: cause)))
    device.flags.forceOnboarding = false
    noteRoute(&call)
    // The mirror follows the store: it must not say what the disk did not take.
    call.afterwards { session in
      session.mirrorOnboarding()
      session.planReminders()
    }
    return OnboardingCompletion(wasComplete: false, revision: revision)
  }

  /// Where nothing can be written, the introduction can be left all the same, for as long as this process lives.
  private func completeUntilTheEnd(_ call: inout Call) throws(RPCError) -> OnboardingCompletion {
    changeFlags { flags in
      flags.hasCompletedOnboarding = true
      flags.forceOnboarding = false
    }
    told.onboarding = true
    noteRoute(&call)
    call.holdsWithoutDisk = true
    return OnboardingCompletion(wasComplete: false, revision: try revision(), isTemporary: true)
  }

  private func endForcing(_ call: inout Call) {
    guard device.flags.forceOnboarding else { return }
    changeFlags { $0.forceOnboarding = false }
    noteRoute(&call)
  }

  /// Notes on this device what the store says, so that neither a restore nor an import takes it back.
  func mirrorOnboarding() {
    guard onboardingRecord?.completed == true, !device.flags.hasCompletedOnboarding else { return }
    if let store {
      // Once ever: what the disk has not taken must not be remembered.
      store.waitUntilDurable()
      guard !store.hasFailed, store.durableRevision >= folder.latestRevision else { return }
    }
    changeFlags { flags in
      flags.hasCompletedOnboarding = true
      flags.forceOnboarding = false
    }
  }

  /// What has the store say again that the introduction was completed, where only this device knows it any more: after an undo, the
  /// restore of an older backup, or a repair. It goes along with the next change, so that other devices and later backups know it too.
  func completionToKeep(beside operations: [Operation]) -> Operation? {
    guard device.flags.hasCompletedOnboarding, preview.knownOnboarding?.completed != true else { return nil }
    preview.knownOnboarding = nil
    let collection = OnboardingRecord.collection
    guard onboardingRecord?.completed != true, !operations.contains(where: { $0.collection == collection }) else {
      return nil
    }
    // What is being noted says it perhaps; another process may have begun it again.
    notes.waitUntilSettled()
    guard OnboardingMirror.saysCompleted(smallFile(.flags)), let snapshot = try? snapshot(),
      // One that cannot be read, as a later version's, is not written over.
      onboardingRecord != nil || snapshot.record(OnboardingRecord.singleID, in: collection) == nil
    else { return nil }
    var record = onboardingRecord ?? OnboardingRecord(completed: true, choices: OnboardingChoices())
    record.completed = true
    return try? put(record)
  }

  /// Refuses choices that have the form but no sense.
  func check(_ choices: OnboardingChoices?, pointer: String) throws(RPCError) {
    guard let choices else { return }
    let problem =
      TypedMeasures.problem(in: choices, pointer: pointer)
      ?? SettingsRules.refusal(ofTimes: choices.mealReminders, pointer: pointer + "/mealReminders")
      ?? SettingsRules.refusal(ofCurrency: choices.currency, pointer: pointer + "/currency")
    if let problem { throw RPCError(problem) }
    try checkCurrency(choices.currency, pointer: pointer + "/currency")
  }

  /// Refuses a currency of new subscriptions that is none; one that is set or chosen already may stay.
  func checkCurrency(_ code: String?, pointer: String) throws(RPCError) {
    guard let code, try code != settings().currency, code != onboardingRecord?.choices.currency else { return }
    _ = try SubscriptionsService.listedCurrency(code, pointer: pointer)
  }
}
