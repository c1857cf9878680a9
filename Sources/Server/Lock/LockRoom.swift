import DaybookProtocol
import JSONRPC
import Premium

/// The lock of one connection: whether the user unlocked it, and how long the app has been away. Times are monotonic milliseconds.
struct LockRoom {
  /// Whether the user unlocked this connection.
  var isAuthenticated = false
  /// When the app went to the back; nil while it is in front, or never said.
  private var resignedAt: Int64?
  /// When this request came, and the one before it.
  private var lastRequestAt: Int64 = 0
  private var previousRequestAt: Int64 = 0

  /// Those who wait for the outcome of the question that the user is asked now; nil while none is.
  private var prompt: [@Sendable (PromptTurn?) -> Bool]?
  /// How many questions were answered, and what came of the latest.
  private(set) var answeredPrompts = 0
  private var latestOutcome: Result<Void, RPCError>?

  /// How a request that needs the user goes on.
  enum PromptTurn: Sendable {
    /// It asks the user.
    case own
    /// Another one has asked meanwhile: that outcome is its own.
    case another(Result<Void, RPCError>)
  }

  /// Takes the turn to ask the user, or waits for the outcome where another request has it: who is asked twice at once does not know
  /// what for. `answered` is what `answeredPrompts` was when the request came: a question that was answered since was asked for it, too.
  /// `done` tells whether anybody still waits.
  mutating func enterPrompt(answered: Int, _ done: @escaping @Sendable (PromptTurn?) -> Bool) {
    if let outcome = outcome(since: answered) {
      _ = done(.another(outcome))
    } else if prompt != nil {
      prompt?.append(done)
    } else if done(.own) {
      prompt = []
    }
  }

  /// What came of a question that was answered since `answeredPrompts` was so many; nil when there was none.
  func outcome(since answered: Int) -> Result<Void, RPCError>? { answeredPrompts > answered ? latestOutcome : nil }

  /// Ends the turn; those who wait have the same outcome. Without one, as its request was cancelled, the first of them asks.
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

  /// Whether the app has said that it went to the back, and not that it is in front again.
  var isAway: Bool { resignedAt != nil }

  /// Notes that a request has come.
  mutating func noteRequest(at now: Int64) { (previousRequestAt, lastRequestAt) = (lastRequestAt, now) }

  /// Notes that the app went to the back.
  mutating func resign(at now: Int64) { resignedAt = now }

  /// The app is back: locks again if the lock is enabled and it was away for longer than `lockAfter` milliseconds. Returns whether it
  /// has locked.
  mutating func comeBack(at now: Int64, isEnabled: Bool, lockAfter: Int64) -> Bool {
    // Without word of when it went away, it went with the last request.
    let left = resignedAt ?? previousRequestAt
    // Two requests in a row are no absence.
    let least: Int64 = resignedAt == nil ? 1000 : 0
    resignedAt = nil
    guard isAuthenticated, isEnabled,
      !LockRules.staysAuthenticated(wentAwayAt: left, cameBackAt: now, lockAfter: max(least, lockAfter))
    else { return false }
    isAuthenticated = false
    return true
  }

  /// The app is still at the back: locks if that is so for `lockAfter` milliseconds or longer. Returns whether it has locked.
  mutating func stayAway(at now: Int64, isEnabled: Bool, lockAfter: Int64) -> Bool {
    guard let resignedAt, isAuthenticated, isEnabled,
      !LockRules.staysAuthenticated(wentAwayAt: resignedAt, cameBackAt: now, lockAfter: lockAfter)
    else { return false }
    isAuthenticated = false
    return true
  }
}
