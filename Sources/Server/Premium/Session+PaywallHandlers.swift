import DaybookProtocol
import JSONRPC
import Premium

/// The requests of paywalls. Their reports never grant or revoke anything.
extension Session {
  func paywallDecision(_ params: PaywallDecisionParams) throws(RPCError) -> PaywallDecisionResult {
    let decision = PaywallRules.decision(
      try placement(params), entitlement.state, hasCompletedOnboarding: !showsOnboarding,
      catalogue: options.catalogue, now: now())
    return PaywallDecisionResult(
      shows: decision.shows, reason: decision.reason,
      products: decision.products.map { Product($0, savings: options.catalogue.yearlySavingsPercent) })
  }

  private func placement(_ params: PaywallDecisionParams) throws(RPCError) -> PaywallRules.Placement {
    switch (params.placement, params.feature) {
    case (.onboarding, nil): return .onboarding
    case (.upgrade, nil): return .upgrade
    case (.feature, let feature?) where Feature.known.contains(feature): return .feature(feature)
    default: break
    }
    let isNeeded = params.placement == .feature
    throw RPCError(
      .invalidParams, isNeeded ? "the feature that was met is missing" : "this placement has no feature",
      pointer: "/feature", allowed: isNeeded ? "a feature" : "nothing", hint: "“features/list” names them")
  }

  func paywallReport(_ params: PaywallReportParams, _ call: inout Call) throws(RPCError) -> PaywallReportResult {
    if isLocked, params.choices != nil {
      throw RPCError(.locked, "the app is locked", pointer: "/choices", hint: "“lock/unlock” has the user open it")
    }
    if let id = params.productId, options.catalogue.product(id) == nil {
      // The catalogue may be older than the shop; the store of record knows what was bought.
      log.warning(.entitlement, "a paywall tells of the product “\(private: id)”, which is not in the catalogue")
    }
    var cause: OnboardingCause?
    switch params.result {
    case .purchased: cause = .purchased
    case .restored: cause = .restored
    case .declined:
      // It has no other effect than to complete the introduction.
      guard !isLocked || showsOnboarding else {
        throw RPCError(.locked, "the app is locked", pointer: "/result", hint: "“lock/unlock” has the user open it")
      }
      cause = .declined
    case .pending: break
    case .error: log.warning(.entitlement, "a paywall failed: “\(private: params.message ?? "no reason was given")”")
    }
    // While the app is locked, nothing is written except the completion of an introduction that shows.
    if isLocked, !showsOnboarding { cause = nil }
    var revision = try self.revision()
    if let cause {
      revision = try completeOnboarding(cause, params.choices, &call).revision
    } else if params.choices != nil {
      throw RPCError(
        .invalidParams, "the introduction is not completed by this", pointer: "/choices", allowed: "nothing",
        hint: "“onboarding/save” keeps choices")
    }
    let asks =
      params.result != .error && params.result != .declined && storeOfRecord.kind != .none
      && !options.isSingleCall
    if asks {
      let isActive = params.result != .pending
      call.afterReply { session in
        if isActive { session.entitlement.state.claimed(PremiumClaim(source: .paywall, isActive: true)) }
        session.verify(.paywall)
      }
    }
    return PaywallReportResult(
      verifying: asks, onboardingCompleted: hasCompletedOnboarding, route: route, revision: revision)
  }

  func paywallExternalStatus(
    _ params: PaywallExternalStatusParams, _ call: inout Call
  ) throws(RPCError) -> PaywallExternalStatusResult {
    let asks = storeOfRecord.kind != .none
    if asks {
      let status = params.status
      call.afterReply { session in
        if status != .unknown {
          session.entitlement.state.claimed(PremiumClaim(source: .vendor, isActive: status == .active))
        }
        session.verify(.externalStatus)
      }
    }
    return PaywallExternalStatusResult(verifying: asks, hasPremiumAccess: hasPremiumAccess)
  }
}
