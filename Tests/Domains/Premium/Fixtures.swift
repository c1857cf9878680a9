import DaybookProtocol
import Premium
import Testing

/// The products of the decisions.
let catalogueText = """
  {"products":[
    {"id":"daybook.premium.monthly","plan":"monthly","price":"2.99","currency":"USD",
     "period":{"unit":"month","count":1},"trialDays":7},
    {"id":"daybook.premium.yearly","plan":"yearly","price":"23.99","currency":"USD",
     "period":{"unit":"year","count":1},"trialDays":7}]}
  """

/// The rules' own types, not the wire types.
typealias PremiumState = Premium.PremiumState
typealias PremiumStatus = Premium.PremiumStatus

let monthly = "daybook.premium.monthly"
let yearly = "daybook.premium.yearly"
/// The instant that tests count from, 2026-02-12T08:00:00Z.
let start = Instant(milliseconds: 1_770_883_200_000)
let minute: Int64 = 60_000
let hour: Int64 = 3_600_000
let day: Int64 = 86_400_000

func theCatalogue() throws -> ProductCatalogue { try ProductCatalogue(file: Array(catalogueText.utf8)) }

extension Instant {
  static func + (instant: Instant, milliseconds: Int64) -> Instant { instant.advanced(by: milliseconds) }
  static func - (instant: Instant, milliseconds: Int64) -> Instant { instant.advanced(by: -milliseconds) }
}

/// A yearly entitlement that ends that many milliseconds after `start`; nil for never.
func entitlement(endingIn end: Int64?, isTrial: Bool = false, graceEndingIn grace: Int64? = nil) -> Entitlement {
  Entitlement(
    plan: .yearly, productID: yearly, isTrial: isTrial, expiresAt: end.map { start + $0 },
    graceEndsAt: grace.map { start + $0 })
}

/// A cached record of that entitlement, checked that many milliseconds before `start`.
func cached(_ entitlement: Entitlement, age: Int64 = hour) -> CachedPremium {
  .record(PremiumRecord(outcome: .entitled(entitlement), checkedAt: start - age))
}

let cachedFalse = CachedPremium.record(PremiumRecord(outcome: .notEntitled(.neverPurchased), checkedAt: start - hour))

/// A state at `start`.
func state(_ cached: CachedPremium, clockMark: Instant? = nil, toastFlag: Bool = false) -> PremiumState {
  PremiumState(cached: cached, clockMark: clockMark, toastFlag: toastFlag, now: start)
}

/// Runs one verification.
func verify(_ state: inout PremiumState, _ verification: Verification, at now: Instant = start) -> PremiumEffects {
  let id = state.beginVerification()
  return state.finished(id, verification, now: now)
}

/// The pointer and code of the refusal; a failure when nothing is refused.
func refusal(_ body: () throws(PremiumError) -> Void) -> String? {
  do throws(PremiumError) {
    try body()
    Issue.record("nothing was refused")
    return nil
  } catch {
    return "\(error.code.rawValue) \(error.pointer ?? "-")"
  }
}
