import CivilTime
import DaybookProtocol

/// Names one verification of a `PremiumState`.
package struct VerificationID: Hashable, Sendable {
  let number: UInt64
}

/// What is known about premium, as a value that a session drives.
///
/// Two values are never confused: `syncModeAtStart`, the cached flag as it was stored, fixed for the process; and
/// `hasPremiumAccess`, the last authoritative answer until its end has passed. The session calls `saw` with its clock before
/// it asks for anything.
package struct PremiumState: Sendable {
  /// Whether sync runs in this process: exactly the stored flag, false without a record that can be believed.
  package let syncModeAtStart: Bool
  /// The answer in force, cached or given to this process.
  package private(set) var record: PremiumRecord?
  /// Whether the answer in force was given to this process.
  package private(set) var isVerified = false
  /// Whether the toast was shown, and nothing has happened since that allows another.
  package private(set) var toastFlag: Bool
  /// Whether there was ever premium, now or before.
  package private(set) var hasEverHadPremium = false
  private var clock: ClockMark
  private var claims = PremiumClaims()
  private var lastUnknown: UnknownReason?
  /// What of the last answer could not be read.
  package private(set) var fault: AnswerFault?
  private var running: VerificationID?
  private var begun: UInt64 = 0
  /// The status that was told last.
  private var announced: PremiumStatus.State?

  /// The state at a start. `clockMark` is what `instantToStore` gave last, `toastFlag` the stored flag.
  package init(cached: CachedPremium, clockMark: Instant?, toastFlag: Bool, now: Instant) {
    record = cached.record
    syncModeAtStart = record?.isPremium ?? false
    self.toastFlag = toastFlag
    clock = ClockMark(stored: clockMark, checkedAt: record?.checkedAt, now: now)
    latchHistory()
    announced = toldState(now)
  }

  /// Whether a verification is under way.
  package var isLoading: Bool { running != nil }

  /// Whether a paywall or its vendor says that premium is active, and no verification has judged it yet.
  package var isPurchaseBeingVerified: Bool { claims.saysActive }

  /// The instant that rules go by: the clock, unless a later one is known to have passed.
  package func effectiveNow(_ now: Instant) -> Instant { max(now, clock.latest) }

  /// The one value every gate reads: the last answer, false once its end has passed.
  package func hasPremiumAccess(_ now: Instant) -> Bool { access.holds(at: now) }

  /// The same as a small value, for those who ask often.
  package var access: PremiumAccess {
    PremiumAccess(
      isEntitled: record?.entitlement != nil, endsAt: record?.entitlement?.endsAt, latest: clock.latest,
      lockStanding: record.map { $0.isPremium ? .entitled : .notEntitled } ?? .unknown)
  }

  private func entitlementInForce(_ now: Instant) -> Entitlement? {
    hasPremiumAccess(now) ? record?.entitlement : nil
  }

  /// What is known at `now`.
  package func status(_ now: Instant) -> PremiumStatus {
    let effective = effectiveNow(now)
    let entitlement = entitlementInForce(now)
    let isFutureDated = record?.isFutureDated(now) ?? false
    return PremiumStatus(
      state: state(entitlement), isLoading: isLoading, isVerified: isVerified, lastUnknown: lastUnknown,
      checkedAt: record?.checkedAt, age: record.map { max(0, $0.age(effective)) },
      isStale: isFutureDated || record?.isStale(effective) ?? false, isFutureDated: isFutureDated,
      isInGrace: entitlement?.expiresAt.map { $0 <= effective } ?? false)
  }

  private func state(_ entitlement: Entitlement?) -> PremiumStatus.State {
    if let entitlement { return .active(entitlement) }
    // A record of an entitlement that is not in force is one that has ended.
    if let record { return .inactive(record.reason ?? .expired) }
    return isLoading ? .loading : .unknown(lastUnknown)
  }

  private mutating func latchHistory() {
    switch record?.outcome {
    case .entitled, .notEntitled(.expired), .notEntitled(.revoked), .notEntitled(.billingRetry):
      hasEverHadPremium = true
    case .notEntitled, nil: break
    }
  }

  // MARK: time

  /// Records the clock; `elapsed` as for `ClockMark.saw`.
  package mutating func saw(_ now: Instant, elapsed: Int64 = 0) { clock.saw(now, elapsed: elapsed) }

  /// The clock mark to write down now, nil for none.
  package mutating func clockMarkToStore() -> Instant? { clock.instantToStore(for: record) }

  /// Whether the status is another than the one announced last, as after an expiry; counts as announced from then on.
  package mutating func statusChanged(_ now: Instant) -> Bool {
    let state = toldState(now)
    guard state != announced else { return false }
    announced = state
    return true
  }

  /// The state as far as it is news: why nothing is known is none, nor that somebody is being asked.
  private func toldState(_ now: Instant) -> PremiumStatus.State {
    switch status(now).state {
    case .unknown, .loading: .unknown(nil)
    case let state: state
    }
  }

  // MARK: verification

  /// A verification begins, and supersedes one under way: the answer to that will be ignored.
  package mutating func beginVerification() -> VerificationID {
    begun &+= 1
    let id = VerificationID(number: begun)
    running = id
    claims.verificationBegan()
    return id
  }

  /// A verification ended without an answer in time.
  package mutating func timedOut(_ id: VerificationID, now: Instant) -> PremiumEffects {
    finished(id, .unknown(.timedOut), now: now)
  }

  /// A verification ended, with an answer of which perhaps not all could be read. Only that begun last counts, and only once.
  package mutating func finished(
    _ id: VerificationID, _ verification: Verification, fault: AnswerFault? = nil, now: Instant
  ) -> PremiumEffects {
    var effects = PremiumEffects()
    guard running == id else {
      effects.isIgnored = true
      return effects
    }
    // A client that was told to wait for the first answer is told that there is none; where there is nobody to ask, nobody was.
    effects.statusChanged = status(now).state == .loading && verification != .unknown(.nobodyToAsk)
    running = nil
    if case .unknown(let reason) = verification {
      lastUnknown = reason
    } else if let new = PremiumRecord(verification, checkedAt: now) {
      take(new, &effects)
    }
    if statusChanged(now) { effects.statusChanged = true }
    // Who did not answer says nothing of what was at fault before.
    let isAnswer = if case .unknown(let reason) = verification { reason == .malformed } else { true }
    if isAnswer, fault != self.fault {
      self.fault = fault
      effects.statusChanged = true
    }
    return effects
  }

  private mutating func take(_ new: PremiumRecord, _ effects: inout PremiumEffects) {
    let cached = record?.isPremium
    let actual = new.isPremium
    effects.record = new
    effects.corrections = claims.judge(isActive: actual)
    if (cached ?? false) != actual { effects.mismatch = PremiumEffects.Mismatch(cached: cached, actual: actual) }
    switch (cached ?? false, actual) {
    case (false, true):
      // Where sync runs already, there is nothing to restart for.
      if !toastFlag && !syncModeAtStart {
        effects.showsRestartToast = true
        setToastFlag(true, &effects)
      }
    case (true, _), (false, false): setToastFlag(false, &effects)
    }
    record = new
    isVerified = true
    lastUnknown = nil
    clock.reset(to: new.checkedAt)
    latchHistory()
  }

  private mutating func setToastFlag(_ value: Bool, _ effects: inout PremiumEffects) {
    guard toastFlag != value else { return }
    toastFlag = value
    effects.toastFlag = value
  }

  // MARK: others

  /// Somebody says something about premium. It changes no access; a verification has to follow.
  package mutating func claimed(_ claim: PremiumClaim) { claims.add(claim) }

  /// Takes over an answer that another process was given and has written down. Nothing is to be written for it; toast and mismatch
  /// were that process's business. An older answer than the one in force is passed over.
  package mutating func adopt(_ new: PremiumRecord, now: Instant) -> PremiumEffects {
    var effects = PremiumEffects()
    if let record, record.checkedAt > new.checkedAt, !record.isFutureDated(now) { return effects }
    record = new
    isVerified = true
    clock.reset(to: max(new.checkedAt, now))
    latchHistory()
    // Claims made here are judged by the answer to a question put here.
    effects.statusChanged = statusChanged(now)
    return effects
  }

  /// Forgets the record, as if none had been found; sync stays as it was at start. A verification under way is superseded.
  package mutating func reset(now: Instant) -> PremiumEffects {
    var effects = PremiumEffects()
    running = nil
    record = nil
    isVerified = false
    lastUnknown = nil
    clock.reset(to: now)
    setToastFlag(false, &effects)
    effects.statusChanged = statusChanged(now)
    return effects
  }
}

/// Whether premium is on: what every gate reads.
package struct PremiumAccess: Sendable {
  let isEntitled: Bool
  /// When it ends; nil when it does not.
  let endsAt: Instant?
  /// The latest instant that is known to have passed.
  let latest: Instant
  /// What the lock goes by: the last authoritative answer, without regard to the clock.
  package let lockStanding: LockRules.Standing

  /// Whether it is on at `now`, or at the latest instant known if that is later. The end itself is outside.
  package func holds(at now: Instant) -> Bool { isEntitled && (endsAt.map { max(now, latest) < $0 } ?? true) }
}
