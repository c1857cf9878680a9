import DaybookProtocol
import DomainKit
import FileStore
import JSON
import JSONRPC
import Platform
import Premium

extension Session {
  func premiumStatus(_ params: NoParams) throws(RPCError) -> DaybookProtocol.PremiumStatus {
    lookAtPremium()
    return premiumStatus
  }

  nonisolated func premiumVerify(
    _ params: PremiumVerifyParams, _ work: HeavyWork
  ) async throws(RPCError) -> PremiumVerifyResult {
    let answered = await waiting { session, done in
      session.verify(.request, timeout: params.timeoutMs ?? Session.verificationTimeout) { done(($0, $1)) }
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
      return PremiumVerifyResult(outcome: .unknown, unknownReason: UnknownReason(reason), status: status)
    }
  }

  func premiumReset(_ params: NoParams, _ call: inout Call) throws(RPCError) -> DaybookProtocol.PremiumStatus {
    guard Files.remove(premiumPath) else {
      throw RPCError(.storeReadOnly, "premium.json cannot be removed", hint: "check the folder's permissions")
    }
    entitlement.file = nil
    let effects = entitlement.state.reset(now: now())
    changeFlags { flags in
      flags.hasShownPremiumRestartToast = false
      flags.clockMark = nil
    }
    call.afterwards { session in
      session.apply(effects, .request)
      session.verify(.request)
    }
    return premiumStatus
  }

  func productsList(_ params: NoParams) throws(RPCError) -> ProductsListResult {
    ProductsListResult(products: options.catalogue.products.map { product($0) })
  }

  private func product(_ product: StoreProduct) -> Product {
    Product(product, savings: options.catalogue.yearlySavingsPercent)
  }

  func featuresList(_ params: NoParams) throws(RPCError) -> FeaturesListResult {
    let answers = Gates.all(hasAccess: hasPremiumAccess)
    // The free ones first, each in the order of the protocol.
    let order = DaybookProtocol.Feature.known.map(\.rawValue)
    let states = order.compactMap { name in answers.first { $0.feature.rawValue == name } }.map { featureState($0) }
    return FeaturesListResult(features: states)
  }

  private func featureState(_ answer: Gates.Answer) -> FeatureState {
    let limit = answer.feature == .unlimitedHabits ? Gates.habitLimit(hasAccess: hasPremiumAccess) : nil
    if answer.feature == .sync, answer.isAvailable, !entitlement.state.syncModeAtStart {
      return FeatureState(feature: .sync, available: false, reason: .restartRequired)
    }
    let reason: FeatureReason =
      switch answer.reason {
      case .free: .free
      case .premium: .premium
      case .premiumRequired: .premiumRequired
      }
    return FeatureState(
      feature: DaybookProtocol.Feature(answer.feature), available: answer.isAvailable, reason: reason, limit: limit)
  }

  /// Whether premium is open now.
  var hasPremiumAccess: Bool { entitlement.state.hasPremiumAccess(now()) }

  /// Refuses what needs a feature that is closed.
  func require(_ feature: Premium.Feature, pointer: String? = nil) throws(RPCError) {
    try context(Call(method: .featuresList)).require(feature, pointer: pointer)
  }
}
