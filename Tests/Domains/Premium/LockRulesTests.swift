import DaybookProtocol
import Premium
import Testing

struct LockRulesTests {
  @Test(
    "The wait grows after five failures and stays at an hour",
    arguments: [
      (0, 0), (1, 0), (4, 0), (5, 1), (6, 5), (7, 15), (8, 60), (9, 60), (1000, 60), (Int.max, 60), (-1, 0),
    ] as [(Int, Int64)])
  func waits(_ failures: Int, _ minutes: Int64) {
    #expect(LockRules.wait(afterFailures: failures) == minutes * minute)
  }

  private func failed(_ times: Int) -> LockAttempts {
    (0..<times).reduce(LockAttempts.none) { attempts, _ in attempts.failed(at: start) }
  }

  @Test("An attempt is allowed again after the wait")
  func retry() {
    #expect(LockRules.retryAt(.none, now: start) == nil)
    #expect(LockRules.retryAt(failed(4), now: start) == nil)
    #expect(LockRules.retryAt(failed(6), now: start) == start + 5 * minute)
    #expect(LockRules.retryAt(failed(6), now: start + 5 * minute - 1) == start + 5 * minute)
    #expect(LockRules.retryAt(failed(6), now: start + 5 * minute) == nil)
  }

  @Test("Setting the clock back restarts the wait, and makes it no longer")
  func setBack() {
    let back = start - 1000 * day
    #expect(LockRules.retryAt(failed(8), now: back) == back + hour)
    let settled = failed(8).settled(back)
    #expect(settled.lastFailureAt == back)
    #expect(LockRules.retryAt(settled, now: back + hour) == nil)
    #expect(failed(8).settled(start + 1) == failed(8))
  }

  @Test("The attempts survive a round trip; invalid ones are refused, and the worst is assumed")
  func kept() throws {
    for attempts in [LockAttempts.none, failed(7)] { #expect(try LockAttempts(attempts.jsonObject) == attempts) }
    for text in ["{}", "{\"failedAttempts\":-1}", "{\"failedAttempts\":5}", "{\"failedAttempts\":\"0\"}"] {
      guard case .object(let object) = try JSONValue(json: Array(text.utf8)) else { continue }
      #expect(throws: PremiumError.self) { try LockAttempts(object) }
    }
    #expect(LockRules.retryAt(.assumed(now: start), now: start) == start + minute)
  }

  @Test("An enabled lock is open only after authentication or an authoritative no", arguments: [true, false])
  func locked(_ isAuthenticated: Bool) {
    for standing in LockRules.Standing.allCases {
      #expect(!LockRules.isLocked(isEnabled: false, standing: standing, isAuthenticated: isAuthenticated))
      #expect(
        LockRules.isLocked(isEnabled: true, standing: standing, isAuthenticated: isAuthenticated)
          == (!isAuthenticated && standing != .notEntitled))
    }
  }

  @Test("The lock fails closed: a missing, damaged or expired record keeps it closed, an answer opens it")
  func failsClosed() {
    for cached in [.missing, .damaged, cached(entitlement(endingIn: -day)), cached(entitlement(endingIn: day))] {
      var premium = state(cached)
      #expect(LockRules.isLocked(isEnabled: true, standing: premium.access.lockStanding, isAuthenticated: false))
      _ = verify(&premium, .unknown(.unreachable))
      #expect(LockRules.isLocked(isEnabled: true, standing: premium.access.lockStanding, isAuthenticated: false))
      _ = verify(&premium, .notEntitled(.expired))
      #expect(!LockRules.isLocked(isEnabled: true, standing: premium.access.lockStanding, isAuthenticated: false))
    }
    #expect(state(cachedFalse).access.lockStanding == .notEntitled)
  }

  @Test(
    "An authentication survives a short absence",
    arguments: [
      (0, 59_999, true), (0, 60_000, false), (5, 4, false), (7, 7, true), (Int64.min, Int64.max, false),
    ] as [(Int64, Int64, Bool)])
  func background(_ left: Int64, _ back: Int64, _ stays: Bool) {
    #expect(LockRules.staysAuthenticated(wentAwayAt: left, cameBackAt: back, lockAfter: minute) == stays)
  }

  @Test("Without a delay, any absence locks")
  func atOnce() {
    #expect(!LockRules.staysAuthenticated(wentAwayAt: 3, cameBackAt: 3, lockAfter: 0))
  }
}
