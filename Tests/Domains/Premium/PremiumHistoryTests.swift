import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Premium

/// Random histories: processes that start, verify, and get late, wrong and no answers; clock changes; claims.
struct PremiumHistoryTests {
  /// A history, and its invariants.
  private struct Life {
    var random: SeededGenerator
    var now = start
    var premium: PremiumState
    /// The state on disk.
    var record: PremiumRecord?
    var mark: Instant?
    var flag: Bool
    /// Verifications begun in this process, and whether the last one has ended.
    var begun: [VerificationID] = []
    var hasRunning = false
    /// Whether access may be true: an entitled answer was the last authoritative one, or the cache said so at first.
    var mayHaveAccess: Bool
    /// Whether the toast was not shown yet, or its flag was cleared since.
    var toastIsAllowed: Bool

    init(_ number: Int) {
      random = SeededGenerator(seed: 44, number: number)
      let first: CachedPremium = [
        .missing, .damaged, cachedFalse, cached(entitlement(endingIn: 2 * day)), cached(entitlement(endingIn: nil)),
      ][random.below(5)]
      flag = random.once(in: 2)
      record = first.record
      mayHaveAccess = record?.isPremium ?? false
      toastIsAllowed = !flag
      premium = PremiumState(cached: first, clockMark: nil, toastFlag: flag, now: now)
    }

    mutating func drawAnswer() -> Verification {
      switch random.below(6) {
      case 0, 1:
        let end = Int64(random.among(1...72)) * hour
        return .entitled(
          Entitlement(
            plan: random.once(in: 2) ? .yearly : .monthly, productID: yearly, isTrial: random.once(in: 2),
            expiresAt: random.once(in: 6) ? nil : now + end,
            graceEndsAt: random.once(in: 3) ? now + end + day : nil))
      case 2, 3: return .notEntitled(InactiveReason.known[random.below(InactiveReason.known.count)])
      default: return .unknown(UnknownReason.known[random.below(UnknownReason.known.count)])
      }
    }

    /// Carries out and checks the effects, as a session would.
    mutating func take(_ effects: PremiumEffects, _ verification: Verification) {
      if effects.isIgnored {
        var nothing = PremiumEffects()
        nothing.isIgnored = true
        #expect(effects == nothing)
        return
      }
      if case .unknown = verification {
        #expect(effects.record == nil && effects.toastFlag == nil && effects.mismatch == nil)
        return
      }
      #expect(effects.record != nil)
      mayHaveAccess = effects.record?.isPremium ?? false
      record = effects.record
      mark = nil
      if effects.showsRestartToast {
        #expect(toastIsAllowed, "shown twice without having been cleared")
        toastIsAllowed = false
      }
      flag = effects.toastFlag ?? flag
      if effects.toastFlag == false { toastIsAllowed = true }
      #expect(flag == premium.toastFlag)
    }

    mutating func observe() {
      premium.saw(now)
      mark = premium.clockMarkToStore() ?? mark
    }

    /// Makes one step; returns whether an authoritative answer was accepted.
    mutating func step() -> Bool {
      switch random.below(9) {
      case 0, 1:
        begun.append(premium.beginVerification())
        hasRunning = true
      case 2, 3, 4:
        guard !begun.isEmpty else { return false }
        // Mostly the latest, sometimes an old or an answered one.
        let index = random.once(in: 3) ? random.below(begun.count) : begun.count - 1
        let verification = drawAnswer()
        let effects = premium.finished(begun[index], verification, now: now)
        #expect(effects.isIgnored == !(hasRunning && index == begun.count - 1))
        if !effects.isIgnored { hasRunning = false }
        take(effects, verification)
        return effects.record != nil
      case 5:
        guard let last = begun.last else { return false }
        take(premium.timedOut(last, now: now), .unknown(.timedOut))
        hasRunning = false
      case 6: premium.claimed(PremiumClaim(source: random.once(in: 2) ? .paywall : .vendor, isActive: true))
      case 7: now = now + Int64(random.among(0...24)) * hour
      default:
        let old = premium
        premium = PremiumState(
          cached: record.map { .record($0) } ?? .missing, clockMark: mark, toastFlag: flag, now: now)
        begun = []
        hasRunning = false
        #expect(premium.syncModeAtStart == record?.isPremium ?? false)
        #expect(premium.isPurchaseBeingVerified == false)
        #expect(old.record?.isPremium ?? false == premium.syncModeAtStart)
      }
      return false
    }

    /// The invariants after every step.
    func check() {
      let hasAccess = premium.hasPremiumAccess(now)
      #expect((premium.status(now).entitlement != nil) == hasAccess)
      #expect(!hasAccess || mayHaveAccess)
      #expect(premium.isLoading == hasRunning)
      if let record {
        #expect((try? PremiumRecord(record.jsonObject)) == record)
        #expect(premium.record == record)
      }
    }
  }

  @Test("Only an entitled answer or the cache gives access, and nothing sticks", arguments: 0..<150)
  func lives(_ number: Int) {
    var life = Life(number)
    for _ in 0..<120 {
      life.observe()
      let had = life.premium.hasPremiumAccess(life.now)
      let wasAuthoritative = life.step()
      life.observe()
      life.check()
      if !had && !wasAuthoritative { #expect(!life.premium.hasPremiumAccess(life.now)) }
      // Setting the clock back restores nothing.
      if life.random.once(in: 10) {
        let access = life.premium.hasPremiumAccess(life.now)
        life.now = life.now - Int64(life.random.among(0...96)) * hour
        life.observe()
        if !access { #expect(!life.premium.hasPremiumAccess(life.now)) }
      }
    }
    if let last = life.begun.last { _ = life.premium.timedOut(last, now: life.now) }
    #expect(!life.premium.isLoading)
  }
}
