import DaybookProtocol
import Testing

@testable import Premium

struct PremiumStateTests {
  private let yes = Verification.entitled(entitlement(endingIn: day))

  @Test("The status is unknown, then loading, then that of the answer")
  func states() {
    var premium = state(.missing)
    #expect(premium.status(start) == .unknown(nil))
    let id = premium.beginVerification()
    #expect(premium.status(start) == .loading)
    let effects = premium.finished(id, .unknown(.timedOut), now: start)
    #expect(effects.statusChanged && effects.record == nil)
    #expect(premium.status(start) == .unknown(.timedOut))
    #expect(verify(&premium, yes).statusChanged)
    #expect(premium.status(start) == .active(entitlement(endingIn: day)))
    #expect(premium.isVerified)
    #expect(verify(&premium, yes, at: start + 1).statusChanged == false)
    #expect(verify(&premium, .notEntitled(.revoked), at: start + 2).statusChanged)
    #expect(premium.status(start + 2) == .inactive(.revoked))
  }

  @Test("The cached status holds while a verification runs")
  func cachedWhileLoading() {
    var premium = state(cached(entitlement(endingIn: day)))
    _ = premium.beginVerification()
    #expect(premium.isLoading && premium.status(start).entitlement != nil && !premium.isVerified)
    #expect(premium.age(start) == hour)
  }

  @Test("A newer verification supersedes: the older answer is ignored, the newer one counts once")
  func supersedes() {
    var premium = state(.missing)
    let old = premium.beginVerification()
    let new = premium.beginVerification()
    #expect(premium.finished(old, .notEntitled(.expired), now: start).isIgnored)
    #expect(premium.isLoading)
    #expect(premium.finished(new, yes, now: start).record?.isPremium == true)
    #expect(!premium.isLoading)
    #expect(premium.finished(new, .notEntitled(.expired), now: start).isIgnored)
    #expect(premium.hasPremiumAccess(start))
  }

  @Test("A time-out ends the loading; a late answer is ignored, and a newer verification counts")
  func timesOut() {
    var premium = state(.missing)
    let first = premium.beginVerification()
    #expect(premium.timedOut(first, now: start).record == nil)
    #expect(!premium.isLoading)
    #expect(premium.lastUnknown == .timedOut)
    #expect(premium.finished(first, yes, now: start).isIgnored)
    #expect(!premium.hasPremiumAccess(start))
    #expect(verify(&premium, yes).record != nil)
    #expect(premium.lastUnknown == nil)
  }

  @Test("The toast is shown once, until cache and answer agree or premium is lost")
  func toast() {
    var premium = state(.missing, toastFlag: true)
    #expect(!verify(&premium, yes).showsRestartToast)
    #expect(verify(&premium, yes).toastFlag == false)
    #expect(verify(&premium, .notEntitled(.expired)).toastFlag == nil)
    let again = verify(&premium, yes)
    #expect(again.showsRestartToast && again.toastFlag == true)
    #expect(verify(&premium, .notEntitled(.expired)).toastFlag == false)
  }

  @Test("Where sync already runs there is no toast")
  func toastWithSync() {
    var premium = state(cached(entitlement(endingIn: day)))
    _ = verify(&premium, .notEntitled(.revoked))
    let effects = verify(&premium, yes)
    #expect(effects.mismatch == PremiumEffects.Mismatch(cached: false, actual: true))
    #expect(!effects.showsRestartToast)
    #expect(premium.syncModeAtStart)
  }

  @Test("A claim changes nothing, and only a verification begun after it settles it", arguments: [true, false])
  func claims(_ isActive: Bool) {
    var premium = state(isActive ? .missing : cached(entitlement(endingIn: day)))
    let answer: Verification = isActive ? .notEntitled(.neverPurchased) : yes
    let before = premium.beginVerification()
    let claim = PremiumClaim(source: .vendor, isActive: isActive)
    premium.claimed(claim)
    #expect(premium.hasPremiumAccess(start) == !isActive)
    #expect(premium.isPurchaseBeingVerified == isActive)
    #expect(premium.finished(before, answer, now: start).wrongClaims == [])
    #expect(verify(&premium, .unknown(.unreachable)).wrongClaims == [])
    #expect(premium.isPurchaseBeingVerified == isActive)
    #expect(verify(&premium, answer).wrongClaims == [claim])
    #expect(verify(&premium, answer).wrongClaims == [])
    #expect(!premium.isPurchaseBeingVerified)
  }

  @Test("A correct claim is not reported, and a later claim replaces an earlier one of its source")
  func rightClaims() {
    var premium = state(.missing)
    premium.claimed(PremiumClaim(source: .paywall, isActive: false))
    premium.claimed(PremiumClaim(source: .paywall, isActive: true))
    #expect(verify(&premium, yes).wrongClaims == [])
  }

  @Test("Access expires at its end, which is announced once")
  func ends() {
    var premium = state(cached(entitlement(endingIn: hour, graceEndingIn: day)))
    premium.saw(start + hour)
    #expect(premium.hasPremiumAccess(start + hour))
    let inGrace = premium.statusChanged(start + hour)
    premium.saw(start + day)
    let ended = premium.statusChanged(start + day)
    let again = premium.statusChanged(start + day)
    #expect([inGrace, ended, again] == [false, true, false])
    #expect(premium.status(start + day) == .inactive(.expired))
  }

  @Test("Earlier premium is remembered", arguments: InactiveReason.known)
  func history(_ reason: InactiveReason) {
    let had: Set<InactiveReason> = [.expired, .revoked, .billingRetry]
    var premium = state(.record(PremiumRecord(outcome: .notEntitled(reason), checkedAt: start)))
    #expect(premium.hasEverHadPremium == had.contains(reason))
    _ = verify(&premium, yes)
    _ = verify(&premium, .notEntitled(.neverPurchased))
    #expect(premium.hasEverHadPremium)
  }

  @Test("A reset forgets the record and supersedes a running verification; sync stays as it was")
  func resets() {
    var premium = state(cached(entitlement(endingIn: day)), toastFlag: true)
    let id = premium.beginVerification()
    let effects = premium.reset(now: start)
    #expect(effects.statusChanged && effects.toastFlag == false)
    #expect(premium.status(start) == .unknown(nil))
    #expect(premium.finished(id, yes, now: start).isIgnored)
    #expect(premium.syncModeAtStart && !premium.isLoading)
  }
}
