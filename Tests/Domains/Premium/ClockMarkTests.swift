import DaybookProtocol
import Premium
import Testing

struct ClockMarkTests {
  @Test("Setting the clock back extends nothing: an observed instant has passed")
  func setBack() {
    var premium = state(cached(entitlement(endingIn: day)))
    premium.saw(start + day)
    #expect(!premium.hasPremiumAccess(start + day))
    premium.saw(start)
    #expect(!premium.hasPremiumAccess(start))
  }

  @Test("Time by a monotonic clock counts as well")
  func elapsed() {
    var premium = state(cached(entitlement(endingIn: day)))
    premium.saw(start - day, elapsed: day)
    #expect(!premium.hasPremiumAccess(start - day))
  }

  @Test("A start trusts the stored mark and the record's instant")
  func atStart() {
    let marked = state(cached(entitlement(endingIn: day)), clockMark: start + day)
    #expect(!marked.hasPremiumAccess(start))
    #expect(marked.syncModeAtStart)
    let future = state(cached(entitlement(endingIn: day), age: -2 * day))
    #expect(!future.hasPremiumAccess(start))
    #expect(future.isFutureDated(start) && future.isStale(start))
    #expect(future.age(start) == 0)
  }

  @Test("An authoritative answer restarts the mark")
  func resets() {
    var premium = state(cached(entitlement(endingIn: day)), clockMark: start + 1000 * day)
    _ = verify(&premium, .unknown(.unreachable))
    #expect(!premium.hasPremiumAccess(start))
    _ = verify(&premium, .entitled(entitlement(endingIn: day)))
    #expect(premium.hasPremiumAccess(start))
    #expect(premium.effectiveNow(start) == start)
  }

  @Test("The mark is stored hourly at most, once more at the end, and then no longer")
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

  @Test(
    "The mark is not stored when nothing ends", arguments: [.missing, cachedFalse, cached(entitlement(endingIn: nil))])
  func notWritten(_ cached: CachedPremium) {
    var premium = state(cached)
    premium.saw(start + 100 * day)
    let mark = premium.clockMarkToStore()
    #expect(mark == nil)
  }
}
