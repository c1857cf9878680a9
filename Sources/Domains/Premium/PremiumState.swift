import DaybookProtocol

/// Identifies a verification of a `PremiumState`.
package struct VerificationID: Hashable, Sendable {
  let number: UInt64
}

/// The state of premium, as a value that a session drives.
///
/// It keeps two values apart: `syncModeAtStart`, the cached flag as stored, fixed for the process; and
/// `hasPremiumAccess`, the last authoritative answer until its end. The session calls `saw` with its clock before any
/// query.
package struct PremiumState: Sendable {
  /// Whether sync runs in this process: exactly the stored flag, false without a trusted record.
  package let syncModeAtStart: Bool
  /// The answer in force, from the cache or a verification. (With `?` it would be nil first, and destroyed.)
  package private(set) var record: Optional<PremiumRecord>
  /// Whether the answer in force was given to this process.
  package private(set) var isVerified = false
  /// Whether the toast has been shown and may not be shown again yet.
  package private(set) var toastFlag: Bool
  /// Whether there has ever been premium.
  package private(set) var hasEverHadPremium = false
  private var clock: ClockMark
  private var claims = PremiumClaims()
  /// Why the last verification had no result; nil when it had one, or there was none.
  package private(set) var lastUnknown: UnknownReason?
  /// What could not be read in the last answer.
  package private(set) var fault: AnswerFault?
  private var running: VerificationID?
  private var begun: UInt64 = 0
  /// The last announced state.
  private var announced: PremiumStatus?

  /// The state at a start. `clockMark` is the last result of `clockMarkToStore`.
  package init(cached: CachedPremium, clockMark: Instant?, toastFlag: Bool, now: Instant) {
    record = cached.record
    syncModeAtStart = record?.isPremium ?? false
    self.toastFlag = toastFlag
    clock = ClockMark(stored: clockMark, checkedAt: record?.checkedAt, now: now)
    latchHistory()
    announced = announceableState(now)
  }

  package var isLoading: Bool { running != nil }

  /// Whether some claim of active premium awaits a verification.
  package var isPurchaseBeingVerified: Bool { claims.saysActive }

  /// The clock, or a later instant known to have passed.
  package func effectiveNow(_ now: Instant) -> Instant { max(now, clock.latest) }

  /// The value that every gate reads: the last answer, false once it has expired.
  package func hasPremiumAccess(_ now: Instant) -> Bool { access.holds(at: now) }

  /// The same as a small value, for frequent queries.
  package var access: PremiumAccess {
    PremiumAccess(
      isEntitled: record?.entitlement != nil, endsAt: record?.entitlement?.endsAt, latest: clock.latest,
      lockStanding: record.map { $0.isPremium ? .entitled : .notEntitled } ?? .unknown)
  }

  /// The status at `now`.
  package func status(_ now: Instant) -> PremiumStatus {
    if let entitlement = record?.entitlement, hasPremiumAccess(now) { return .active(entitlement) }
    // A record of an entitlement that is not in force has expired.
    if let record { return .inactive(record.reason ?? .expired) }
    return isLoading ? .loading : .unknown(lastUnknown)
  }

  /// The age of the answer in force, milliseconds, never negative.
  package func age(_ now: Instant) -> Int64? { record.map { max(0, $0.age(effectiveNow(now))) } }

  /// Whether the answer in force is older than seven days or future-dated.
  package func isStale(_ now: Instant) -> Bool { isFutureDated(now) || record?.isStale(effectiveNow(now)) ?? false }

  /// Whether the answer in force is ahead of the clock by more than five minutes.
  package func isFutureDated(_ now: Instant) -> Bool { record?.isFutureDated(now) ?? false }

  private mutating func latchHistory() {
    switch record?.outcome {
    case .entitled, .notEntitled(.expired), .notEntitled(.revoked), .notEntitled(.billingRetry):
      hasEverHadPremium = true
    case .notEntitled, nil: break
    }
  }

  /// Observes the clock; see `ClockMark.saw`.
  package mutating func saw(_ now: Instant, elapsed: Int64 = 0) { clock.saw(now, elapsed: elapsed) }

  /// The clock mark to store now, if any.
  package mutating func clockMarkToStore() -> Instant? { clock.instantToStore(for: record) }

  /// Whether the status differs from the one last announced, as after an expiry; counts as announced then.
  package mutating func statusChanged(_ now: Instant) -> Bool {
    let state = announceableState(now)
    guard state != announced else { return false }
    announced = state
    return true
  }

  /// The state as announced: neither the reason of an unknown state nor a running verification is news.
  private func announceableState(_ now: Instant) -> PremiumStatus {
    switch status(now) {
    case .unknown, .loading: .unknown(nil)
    case let status: status
    }
  }

  /// Begins a verification and supersedes a running one, whose answer will be ignored.
  package mutating func beginVerification() -> VerificationID {
    begun &+= 1
    let id = VerificationID(number: begun)
    running = id
    claims.verificationBegan()
    return id
  }

  /// Ends a verification without an answer in time.
  package mutating func timedOut(_ id: VerificationID, now: Instant) -> PremiumEffects {
    finished(id, .unknown(.timedOut), now: now)
  }

  /// Ends a verification, with what could not be read in its answer. Only the latest one counts, and only once.
  package mutating func finished(
    _ id: VerificationID, _ verification: Verification, fault: AnswerFault? = nil, now: Instant
  ) -> PremiumEffects {
    var effects = PremiumEffects()
    guard running == id else {
      effects.isIgnored = true
      return effects
    }
    // A client that is waiting for the first answer is told that there is none; with nobody to ask, it never waited.
    effects.statusChanged = status(now) == .loading && verification != .unknown(.nobodyToAsk)
    running = nil
    if case .unknown(let reason) = verification {
      lastUnknown = reason
    } else if let new = PremiumRecord(verification, checkedAt: now) {
      accept(new, &effects)
    }
    if statusChanged(now) { effects.statusChanged = true }
    // Without an answer, an earlier fault remains.
    let isAnswer = if case .unknown(let reason) = verification { reason == .malformed } else { true }
    if isAnswer, fault != self.fault {
      self.fault = fault
      effects.statusChanged = true
    }
    return effects
  }

  private mutating func accept(_ new: PremiumRecord, _ effects: inout PremiumEffects) {
    let cached = record?.isPremium
    let actual = new.isPremium
    effects.record = new
    effects.wrongClaims = claims.judge(isActive: actual)
    if (cached ?? false) != actual { effects.mismatch = PremiumEffects.Mismatch(cached: cached, actual: actual) }
    switch (cached ?? false, actual) {
    case (false, true):
      // Where sync runs already, a restart is not needed.
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

  /// Records a claim. It changes no access; a verification has to follow.
  package mutating func claimed(_ claim: PremiumClaim) { claims.add(claim) }

  /// Adopts an answer that another process received and stored; there is nothing to write, and toast and mismatch are
  /// that process's concern. An answer older than the one in force is ignored.
  package mutating func adopt(_ new: PremiumRecord, now: Instant) -> PremiumEffects {
    var effects = PremiumEffects()
    if let record, record.checkedAt > new.checkedAt, !record.isFutureDated(now) { return effects }
    record = new
    isVerified = true
    clock.reset(to: max(new.checkedAt, now))
    latchHistory()
    // A claim made here is settled by a verification begun here.
    effects.statusChanged = statusChanged(now)
    return effects
  }

  /// Forgets the record; sync stays as it was at the start. A running verification is superseded.
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

/// Whether premium is on; every gate reads it.
package struct PremiumAccess: Sendable {
  let isEntitled: Bool
  /// Nil for no end.
  let endsAt: Instant?
  /// The latest instant known to have passed.
  let latest: Instant
  /// For the lock: the last authoritative answer, independent of the clock.
  package let lockStanding: LockRules.Standing

  /// Whether it is on at `now`, or at `latest` if that is later. At its end it is off.
  package func holds(at now: Instant) -> Bool { isEntitled && (endsAt.map { max(now, latest) < $0 } ?? true) }
}
