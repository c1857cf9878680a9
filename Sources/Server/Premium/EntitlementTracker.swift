import DaybookProtocol
import Platform
import Premium

/// The state of premium and its file, and the requests that wait for the store of record.
struct EntitlementTracker {
  /// A request that waits for the verification after the current one.
  struct NextQuestion {
    let reason: VerificationReason
    /// Its timeout in milliseconds.
    let timeout: Int
    let then: VerificationWaiter.Completion
  }

  /// How a request for verification proceeds.
  enum Turn {
    /// The store of record is asked, under this id.
    case ask(VerificationID)
    /// It waits for the verification after the current one; `endsBefore` tells whether its timeout ends before that
    /// one's, so that it needs a timer of its own.
    case wait(endsBefore: Bool)
  }

  var state: Premium.PremiumState { didSet { access = state.access } }
  /// The access that every request checks.
  private(set) var access: PremiumAccess
  /// The file `premium.json` that was last read.
  var file: FileMark?
  /// Whether the last answer could not be written.
  private var hasUnsaved = false
  private var writings = 0
  /// Changes when writes in progress become irrelevant.
  private var folderNumber = 0
  /// When the end of the entitlement was last checked, in monotonic milliseconds.
  var lookedAt: Int64?
  private var waiters: [VerificationWaiter] = []
  private var next: [NextQuestion] = []
  /// When (monotonic milliseconds) a verification that has superseded another times out; the next request waits for its
  /// end.
  private var supersededUntil: Int64?

  init(at now: Instant) {
    state = Premium.PremiumState(cached: .missing, clockMark: nil, toastFlag: false, now: now)
    access = state.access
  }

  /// Whether a write is in progress, so that the file is out of date.
  var isBeingWritten: Bool { writings > 0 }

  /// Whether a failed write is not being retried.
  var needsSaving: Bool { hasUnsaved && writings == 0 }

  /// Notes the begin of a write; returns the argument for `endWriting`.
  mutating func beginWriting() -> Int {
    writings += 1
    return folderNumber
  }

  /// Notes the end of a write: `written` is the new file, or nil after a failure. One that began before `dropUnsaved`
  /// is ignored.
  mutating func endWriting(_ folder: Int, _ written: FileMark?) {
    guard folder == folderNumber else { return }
    writings -= 1
    hasUnsaved = written == nil
    if let written { file = written }
  }

  /// Forgets writes of a folder that was replaced or reset.
  mutating func dropUnsaved() {
    folderNumber += 1
    writings = 0
    hasUnsaved = false
  }

  /// Begins a verification, or queues it. It supersedes one that is running; but a sequence of verifications that
  /// supersede each other might never end, so the third waits.
  ///
  /// - Parameters:
  ///   - timeout: Milliseconds.
  ///   - present: Monotonic milliseconds.
  mutating func begin(
    _ reason: VerificationReason, timeout: Int, at present: Int64, then: VerificationWaiter.Completion?
  ) -> Turn {
    let until = present + Int64(timeout)
    if state.isLoading, let supersededUntil {
      next.append(NextQuestion(reason: reason, timeout: timeout, then: then ?? { _, _ in false }))
      return .wait(endsBefore: until < supersededUntil)
    }
    supersededUntil = state.isLoading ? until : nil
    let id = state.beginVerification()
    if let then { waiters.append(VerificationWaiter(verification: id, then: then)) }
    return .ask(id)
  }

  /// Removes and returns the waiters of a superseded verification that timed out.
  mutating func giveUp(_ id: VerificationID) -> [VerificationWaiter] {
    defer { waiters.removeAll { $0.verification == id } }
    return waiters.filter { $0.verification == id }
  }

  /// Ends the verification; removes and returns its waiters.
  mutating func end() -> [VerificationWaiter] {
    supersededUntil = nil
    defer { waiters = [] }
    return waiters
  }

  mutating func takeNext() -> [NextQuestion] {
    defer { next = [] }
    return next
  }
}
