import DaybookProtocol
import JSONRPC
import Premium

/// The lock of one connection: whether the user unlocked it, and how long the app has been in the background. Times are
/// monotonic milliseconds.
struct ConnectionLock {
  var isAuthenticated = false
  /// When the app went to the background; nil while it is in the foreground, or never reported.
  private var resignedAt: Int64?
  /// When this request and the one before it came.
  private var lastRequestAt: Int64 = 0
  private var previousRequestAt: Int64 = 0

  /// The requests that wait for the outcome of the current prompt; nil without a prompt.
  private var prompt: [@Sendable (PromptTurn?) -> Bool]?
  /// The number of answered prompts, and the outcome of the latest.
  private(set) var answeredPrompts = 0
  private var latestOutcome: Result<Void, RPCError>?

  /// How a request that needs authentication proceeds.
  enum PromptTurn: Sendable {
    /// It prompts the user.
    case own
    /// Another request has prompted meanwhile: it shares that outcome.
    case another(Result<Void, RPCError>)
  }

  /// Starts a prompt, or waits for the outcome of another request's: a user with two prompts at once cannot tell them
  /// apart. `answered` is `answeredPrompts` at the time the request came: a prompt that was answered since counts for
  /// it too. `done` returns whether the request still waits.
  mutating func enterPrompt(answered: Int, _ done: @escaping @Sendable (PromptTurn?) -> Bool) {
    if let outcome = outcome(since: answered) {
      _ = done(.another(outcome))
    } else if prompt != nil {
      prompt?.append(done)
    } else if done(.own) {
      prompt = []
    }
  }

  /// The outcome of a prompt that was answered since `answeredPrompts` was `answered`; nil when there was none.
  func outcome(since answered: Int) -> Result<Void, RPCError>? { answeredPrompts > answered ? latestOutcome : nil }

  /// Ends the prompt; the waiting requests share its outcome. Without one, because its request was cancelled, the first
  /// of them prompts.
  mutating func endPrompt(_ outcome: Result<Void, RPCError>?) {
    var waiting = (prompt ?? [])[...]
    prompt = nil
    guard let outcome else {
      while let next = waiting.popFirst(), prompt == nil { if next(.own) { prompt = Array(waiting) } }
      return
    }
    answeredPrompts += 1
    latestOutcome = outcome
    for done in waiting { _ = done(.another(outcome)) }
  }

  /// Whether the app has reported that it is in the background.
  var isAway: Bool { resignedAt != nil }

  mutating func noteRequest(at now: Int64) { (previousRequestAt, lastRequestAt) = (lastRequestAt, now) }

  mutating func resign(at now: Int64) { resignedAt = now }

  /// Locks if the lock is enabled and the app was away for longer than `lockAfter` milliseconds, or is away for that long
  /// unless it `isBack`. Returns whether it has locked.
  mutating func checkAbsence(isBack: Bool, at now: Int64, isEnabled: Bool, lockAfter: Int64) -> Bool {
    // Without a report, the absence began with the last request; two requests in a row are no absence.
    guard let left = resignedAt ?? (isBack ? previousRequestAt : nil) else { return false }
    let least: Int64 = resignedAt == nil ? 1000 : 0
    if isBack { resignedAt = nil }
    guard isAuthenticated, isEnabled,
      !LockRules.staysAuthenticated(wentAwayAt: left, cameBackAt: now, lockAfter: max(least, lockAfter))
    else { return false }
    isAuthenticated = false
    return true
  }
}
