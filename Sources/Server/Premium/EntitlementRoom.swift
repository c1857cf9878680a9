import CivilTime
import DaybookProtocol
import Platform
import Premium

/// What is known of premium, where it is kept, and who waits for an answer of the store of record.
struct EntitlementRoom {
  var state: Premium.PremiumState
  /// Which file premium.json was when it was last read.
  var file: FileMark?
  /// Whether the last answer is known here only.
  var hasUnsaved = false
  /// When an end of the entitlement was last looked for, in monotonic milliseconds.
  var lookedAt: Int64?
  /// Who waits for the answer of the store of record.
  var waiters: [VerificationWaiter] = []
  /// Until when (monotonic milliseconds) a verification under way goes on that has superseded another; the next request waits for its
  /// end.
  var supersededUntil: Int64?
  /// The requests that wait for it, and how long each may take.
  var next: [(reason: VerificationReason, timeout: Int, then: VerificationWaiter.Completion)] = []

  init(at now: Instant) {
    state = Premium.PremiumState(cached: .missing, clockMark: nil, toastFlag: false, now: now)
  }
}
