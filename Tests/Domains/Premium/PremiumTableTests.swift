import DaybookProtocol
import Premium
import Testing

/// The nine rows of the decisions, and the effect of trial, expiry, grace and age.
struct PremiumTableTests {
  /// The cached flag.
  enum Cached: CaseIterable { case none, no, yes }
  /// The answer of the store.
  enum Answer: CaseIterable { case entitled, notEntitled, unknown }

  struct Row: Sendable {
    let cached: Cached
    let answer: Answer
    let access: Bool
    /// The flag written, nil for no write.
    let record: Bool?
    let toast: Bool
    let syncNow: Bool
    let syncNext: Bool
    let mismatch: Bool
  }

  static let rows = [
    Row(
      cached: .none, answer: .entitled, access: true, record: true, toast: true, syncNow: false, syncNext: true,
      mismatch: true),
    Row(
      cached: .none, answer: .notEntitled, access: false, record: false, toast: false, syncNow: false,
      syncNext: false, mismatch: false),
    Row(
      cached: .none, answer: .unknown, access: false, record: nil, toast: false, syncNow: false, syncNext: false,
      mismatch: false),
    Row(
      cached: .no, answer: .entitled, access: true, record: true, toast: true, syncNow: false, syncNext: true,
      mismatch: true),
    Row(
      cached: .no, answer: .notEntitled, access: false, record: false, toast: false, syncNow: false, syncNext: false,
      mismatch: false),
    Row(
      cached: .no, answer: .unknown, access: false, record: nil, toast: false, syncNow: false, syncNext: false,
      mismatch: false),
    Row(
      cached: .yes, answer: .entitled, access: true, record: true, toast: false, syncNow: true, syncNext: true,
      mismatch: false),
    Row(
      cached: .yes, answer: .notEntitled, access: false, record: false, toast: false, syncNow: true, syncNext: false,
      mismatch: true),
    Row(
      cached: .yes, answer: .unknown, access: true, record: nil, toast: false, syncNow: true, syncNext: true,
      mismatch: false),
  ]

  /// The cached entitlement in its four forms.
  static let variants = [
    entitlement(endingIn: 10 * day), entitlement(endingIn: 10 * day, isTrial: true), entitlement(endingIn: nil),
    entitlement(endingIn: -hour, graceEndingIn: day),
  ]

  @Test("Each row of the table holds, for purchases, trials, without end and in grace", arguments: rows, variants)
  func row(_ row: Row, _ entitlement: Entitlement) {
    let cached: CachedPremium =
      switch row.cached {
      case .none: .missing
      case .no: cachedFalse
      case .yes: PremiumTests.cached(entitlement)
      }
    let answer: Verification =
      switch row.answer {
      case .entitled: .entitled(entitlement)
      case .notEntitled: .notEntitled(.expired)
      case .unknown: .unknown(.unreachable)
      }
    var premium = state(cached)
    #expect(premium.hasPremiumAccess(start) == (row.cached == .yes))
    let effects = verify(&premium, answer)
    #expect(premium.hasPremiumAccess(start) == row.access)
    #expect((premium.status(start).entitlement != nil) == row.access)
    #expect(effects.record?.isPremium == row.record)
    #expect(effects.record?.checkedAt == row.record.map { _ in start })
    #expect(effects.showsRestartToast == row.toast)
    #expect(effects.toastFlag == (row.toast ? true : nil))
    #expect(premium.syncModeAtStart == row.syncNow)
    #expect((effects.mismatch != nil) == row.mismatch)
    let next = state(effects.record.map { .record($0) } ?? cached)
    #expect(next.syncModeAtStart == row.syncNext)
    #expect(next.hasPremiumAccess(start) == row.access)
  }

  @Test("A damaged record counts as none", arguments: rows.filter { $0.cached == .none })
  func damaged(_ row: Row) {
    var premium = state(.damaged)
    #expect(!premium.syncModeAtStart)
    let answer: Verification =
      switch row.answer {
      case .entitled: .entitled(entitlement(endingIn: day))
      case .notEntitled: .notEntitled(.neverPurchased)
      case .unknown: .unknown(.malformed)
      }
    let effects = verify(&premium, answer)
    #expect(effects.record?.isPremium == row.record)
    #expect(effects.showsRestartToast == row.toast)
    #expect(premium.hasPremiumAccess(start) == row.access)
  }

  @Test(
    "With a cached record and no answer, access lasts until its end, grace included, at any age",
    arguments: [
      (hour as Int64?, nil as Int64?, false, hour, true), (hour, nil, true, hour, true),
      (hour, nil, false, 30 * day, true), (nil, nil, false, 8 * day, true), (nil, nil, false, 4000 * day, true),
      (1, nil, false, 8 * day, true), (0, nil, false, 8 * day, false), (-1, nil, true, hour, false),
      (-hour, 1, false, 8 * day, true), (-hour, 0, false, 8 * day, false),
    ])
  func unknown(_ end: Int64?, _ grace: Int64?, _ isTrial: Bool, _ age: Int64, _ access: Bool) {
    let cached = cached(entitlement(endingIn: end, isTrial: isTrial, graceEndingIn: grace), age: age)
    var premium = state(cached)
    _ = verify(&premium, .unknown(.timedOut))
    let status = premium.status(start)
    #expect(premium.hasPremiumAccess(start) == access)
    #expect(status.entitlement?.plan == (access ? .yearly : nil))
    #expect(premium.isStale(start) == (age > 7 * day))
    #expect(premium.syncModeAtStart)
    if !access { #expect(status == .inactive(.expired)) }
  }
}
