import CivilTime
import DaybookProtocol
import Platform
import Premium

/// What is known of premium, where it is kept, and who waits for an answer of the store of record.
struct EntitlementRoom {
  /// A request that waits for the question after the one under way.
  struct NextQuestion {
    let reason: VerificationReason
    /// How long it may take, in milliseconds.
    let timeout: Int
    let then: VerificationWaiter.Completion
  }

  /// How a request for an answer goes on.
  enum Turn {
    /// The store of record is asked, under this number.
    case ask(VerificationID)
    /// It waits for the question after the one under way; it has to be told itself when its time is over, if that is before the end of
    /// the one under way.
    case wait(endsBefore: Bool)
  }

  var state: Premium.PremiumState { didSet { access = state.access } }
  /// What every request asks of it.
  private(set) var access: PremiumAccess
  /// Which file premium.json was when it was last read.
  var file: FileMark?
  /// Whether the last answer is known here only, as it could not be written.
  private var hasUnsaved = false
  /// How many writings of an answer are under way.
  private var writings = 0
  /// Changes when what is under way is of no interest any more.
  private var folderNumber = 0
  /// When an end of the entitlement was last looked for, in monotonic milliseconds.
  var lookedAt: Int64?
  private var waiters: [VerificationWaiter] = []
  private var next: [NextQuestion] = []
  /// Until when (monotonic milliseconds) a question goes on that has superseded another; the next request waits for its end.
  private var supersededUntil: Int64?

  init(at now: Instant) {
    state = Premium.PremiumState(cached: .missing, clockMark: nil, toastFlag: false, now: now)
    access = state.access
  }

  /// Whether an answer is being written, so that what the file says is behind what is known here.
  var isBeingWritten: Bool { writings > 0 }

  /// Whether the last answer could not be written, and is not being tried again.
  var needsSaving: Bool { hasUnsaved && writings == 0 }

  /// An answer is going to be written; returns what `endWriting` is to be given.
  mutating func beginWriting() -> Int {
    writings += 1
    return folderNumber
  }

  /// A writing is over: `written` is the file now, or nil where it failed. One that began before `dropUnsaved` is of no interest.
  mutating func endWriting(_ folder: Int, _ written: FileMark?) {
    guard folder == folderNumber else { return }
    writings -= 1
    hasUnsaved = written == nil
    if let written { file = written }
  }

  /// Forgets what is not on disk: the folder is another one now, or begins again.
  mutating func dropUnsaved() {
    folderNumber += 1
    writings = 0
    hasUnsaved = false
  }

  /// Begins a question, or has it wait. One question takes the place of another that is under way; of many in a row each would else take
  /// the answer from the one before, and there might never be one, so that the third waits.
  ///
  /// - Parameter timeout: How long it may take, in milliseconds.
  /// - Parameter present: Monotonic milliseconds.
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

  /// Those who wait for a question that was superseded, and who waited long enough.
  mutating func giveUp(_ id: VerificationID) -> [VerificationWaiter] {
    defer { waiters.removeAll { $0.verification == id } }
    return waiters.filter { $0.verification == id }
  }

  /// The question is answered: those who waited for it.
  mutating func end() -> [VerificationWaiter] {
    supersededUntil = nil
    defer { waiters = [] }
    return waiters
  }

  /// Those who waited for their turn, which has come.
  mutating func takeNext() -> [NextQuestion] {
    defer { next = [] }
    return next
  }
}
