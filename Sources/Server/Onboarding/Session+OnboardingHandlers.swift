import DomainKit
import SettingsDocument

extension Session {
  func onboardingGet(_ params: NoParams) throws(RPCError) -> OnboardingGetResult {
    let revision = try revision()
    let record = onboardingRecord
    let step = record?.step ?? OnboardingRules.steps.first ?? .welcome
    return OnboardingGetResult(
      shows: showsOnboarding, completed: hasCompletedOnboarding, forced: device.flags.forceOnboarding,
      steps: OnboardingRules.steps, step: step, progress: OnboardingRules.progress(at: step),
      // Personal choices are locked with the other data.
      choices: isLocked ? OnboardingChoices() : record?.choices ?? OnboardingChoices(), cause: record?.cause,
      completedAt: record?.completedAt, revision: revision)
  }

  func onboardingEstimate(_ params: OnboardingEstimateParams) throws(RPCError) -> OnboardingEstimateResult {
    try check(params.choices, pointer: "/choices")
    let saved = hasCompletedOnboarding ? nil : onboardingRecord?.choices
    let choices = OnboardingRules.merging(params.choices, into: saved)
    let settings = SettingsRules.applying(OnboardingRules.update(choices), to: try settings())
    if let refusal = EnergyRules.refusal(of: EnergyRules.Person(settings), pointer: "/choices") {
      throw RPCError(refusal)
    }
    guard let basal = EnergyRules.basalMetabolicRate(EnergyRules.Person(settings)) else {
      throw RPCError(.invalidParams, "these measures are out of all bounds", pointer: "/choices")
    }
    return OnboardingEstimateResult(
      basalMetabolicRate: basal, totalCalories: settings.totalCalories, targetDeficit: settings.targetDeficit,
      eatingTarget: EnergyRules.eatingTarget(settings))
  }

  func onboardingSave(_ params: OnboardingSaveParams, _ call: inout Call) throws(RPCError) -> OnboardingSaveResult {
    guard !hasCompletedOnboarding else {
      throw RPCError(
        .onboardingComplete, "the introduction is complete", hint: "“settings/update” changes what was chosen in it")
    }
    try check(params.choices, pointer: "/choices")
    let old = onboardingRecord
    var new = old ?? OnboardingRecord(completed: false, choices: OnboardingChoices())
    new.step = params.step ?? new.step
    new.choices = OnboardingRules.merging(params.choices, into: new.choices)
    let revision = new == old ? try self.revision() : try commit([try put(new)], &call)
    return OnboardingSaveResult(
      step: new.step ?? OnboardingRules.steps.first ?? .welcome, choices: new.choices, revision: revision)
  }

  func onboardingComplete(
    _ params: OnboardingCompleteParams, _ call: inout Call
  ) throws(RPCError) -> OnboardingCompleteResult {
    let completion = try completeOnboarding(.completed, params.choices, &call)
    let settings = try settings()
    var record = onboardingRecord ?? OnboardingRecord(completed: true, choices: OnboardingChoices())
    record.completed = true
    return OnboardingCompleteResult(
      alreadyCompleted: completion.wasComplete, temporary: completion.isTemporary ? true : nil, onboarding: record,
      settings: settings,
      eatingTarget: EnergyRules.eatingTarget(settings),
      route: route, revision: completion.revision)
  }

  func onboardingDetectReturningUser(
    _ params: NoParams, _ call: inout Call
  ) throws(RPCError) -> OnboardingDetectReturningUserResult {
    let present = try snapshot()
    var evidence: [OnboardingEvidence] = []
    let logged = Collections.all.map(\.collection).filter {
      $0 != Settings.collection && $0 != OnboardingRecord.collection
    }
    if logged.contains(where: { !present.records(in: $0, limit: 1).isEmpty }) { evidence.append(.records) }
    if present.record(Settings.singleID, in: Settings.collection) != nil { evidence.append(.settings) }
    if hasPremiumAccess { evidence.append(.premium) }
    var revision = try revision()
    if !evidence.isEmpty { revision = try completeOnboarding(.returningUser, nil, &call).revision }
    return OnboardingDetectReturningUserResult(
      returning: !evidence.isEmpty, evidence: evidence, completed: hasCompletedOnboarding, route: route,
      revision: revision)
  }
}
