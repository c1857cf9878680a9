import DomainKit
import Platform
import Premium

extension Session {
  func premiumStatus(_ params: NoParams) throws(RPCError) -> DaybookProtocol.PremiumStatus {
    refreshPremium()
    return premiumStatus
  }

  nonisolated func premiumVerify(
    _ params: PremiumVerifyParams, _ work: HeavyWork
  ) async throws(RPCError) -> PremiumVerifyResult {
    let answered = await awaitCallback { session, done in
      session.verify(.request, timeout: params.timeoutMs ?? RequestTimeout.shopCurrentEntitlements) { done(($0, $1)) }
    }
    guard let (answer, events) = answered else {
      throw RPCError(.requestCancelled, "cancelled before the store of record answered")
    }
    for event in events { work.progress.follow(with: event) }
    let status = await premiumStatus
    switch answer {
    case .entitled: return PremiumVerifyResult(outcome: .entitled, status: status)
    case .notEntitled: return PremiumVerifyResult(outcome: .notEntitled, status: status)
    case .unknown(let reason):
      return PremiumVerifyResult(outcome: .unknown, unknownReason: reason, status: status)
    }
  }

  func premiumReset(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DaybookProtocol.PremiumStatus {
    // A pending write would restore the file.
    notes.waitUntilSettled()
    guard Files.remove(premiumPath) else {
      throw RPCError(.storeReadOnly, "premium.json cannot be removed", hint: "check the folder's permissions")
    }
    entitlement.dropUnsaved()
    entitlement.file = nil
    let effects = entitlement.state.reset(now: now())
    changeFlags { flags in
      flags.hasShownPremiumRestartToast = false
      flags.clockMark = nil
    }
    call.afterReply { session in
      session.apply(effects, .request)
      session.verify(.request)
    }
    return premiumStatus
  }

  func productsList(_ params: NoParams) throws(RPCError) -> ProductsListResult {
    ProductsListResult(
      products: options.catalogue.products.map { Product($0, savings: options.catalogue.yearlySavingsPercent) })
  }

  func featuresList(_ params: NoParams) throws(RPCError) -> FeaturesListResult {
    FeaturesListResult(features: Gates.all(hasAccess: hasPremiumAccess).map { featureState($0) })
  }

  private func featureState(_ answer: FeatureState) -> FeatureState {
    if answer.feature == .sync, answer.available, !entitlement.state.syncModeAtStart {
      return FeatureState(feature: .sync, available: false, reason: .restartRequired)
    }
    var answer = answer
    for service in Services.types {
      if let limit = service.limit(of: answer.feature, hasAccess: hasPremiumAccess) { answer.limit = limit }
    }
    return answer
  }

  /// Whether premium is active now.
  var hasPremiumAccess: Bool { entitlement.access.holds(at: now()) }

  /// Refuses a feature without premium.
  func require(_ feature: Feature, pointer: String? = nil) throws(RPCError) {
    try context(Call(method: .featuresList)).require(feature, pointer: pointer)
  }
}
