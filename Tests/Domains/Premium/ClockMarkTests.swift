import CivilTime
import DaybookProtocol
import Premium
import Testing

struct ClockMarkTests {
  @Test("A clock set back extends nothing: what was seen has passed")
  func setBack() {
    var premium = state(cached(entitlement(endingIn: day)))
    premium.saw(start + day)
    #expect(!premium.hasPremiumAccess(start + day))
    premium.saw(start)
    #expect(!premium.hasPremiumAccess(start))
  }

  @Test("Time that passed by a clock that is never set counts as well")
  func elapsed() {
    var premium = state(cached(entitlement(endingIn: day)))
    premium.saw(start - day, elapsed: day)
    #expect(!premium.hasPremiumAccess(start - day))
  }

  @Test("A start takes the stored mark and the record's instant for granted")
  func atStart() {
    let marked = state(cached(entitlement(endingIn: day)), clockMark: start + day)
    #expect(!marked.hasPremiumAccess(start))
    #expect(marked.syncModeAtStart)
    let future = state(cached(entitlement(endingIn: day), age: -2 * day))
    #expect(!future.hasPremiumAccess(start))
    #expect(future.status(start).isFutureDated && future.status(start).isStale)
    #expect(future.status(start).age == 0)
  }

  @Test("An authoritative answer starts the count again")
  func resets() {
    var premium = state(cached(entitlement(endingIn: day)), clockMark: start + 1000 * day)
    _ = verify(&premium, .unknown(.unreachable))
    #expect(!premium.hasPremiumAccess(start))
    _ = verify(&premium, .entitled(entitlement(endingIn: day)))
    #expect(premium.hasPremiumAccess(start))
    #expect(premium.effectiveNow(start) == start)
  }

  @Test("It is written hourly at most, once more at the end, and then no more")
  func writes() {
    var premium = state(cached(entitlement(endingIn: 150 * minute), age: 0))
    var written: [Int64] = []
    for step in 0..<60 {
      let now = start + Int64(step) * 5 * minute
      premium.saw(now)
      if let mark = premium.clockMarkToStore() { written.append((mark.milliseconds - start.milliseconds) / minute) }
    }
    #expect(written == [60, 120, 150])
  }

  @Test("It is not written where nothing ends", arguments: [.missing, cachedFalse, cached(entitlement(endingIn: nil))])
  func notWritten(_ cached: CachedPremium) {
    var premium = state(cached)
    premium.saw(start + 100 * day)
    let mark = premium.clockMarkToStore()
    #expect(mark == nil)
  }
}
