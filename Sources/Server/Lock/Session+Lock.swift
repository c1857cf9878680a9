import DaybookProtocol
import FileStore
import JSONRPC
import Platform
import Premium

/// The lock of this connection: authentication, absence, and the delay after failed attempts.
extension Session {
  /// Milliseconds of a clock that cannot be set and that advances during sleep.
  static func monotonicMilliseconds() -> Int64 { Clock.continuousMilliseconds() }

  var lockState: LockState {
    LockState(
      enabled: isLockEnabled, locked: isLocked, canAuthenticate: client.abilities.authenticates,
      failedAttempts: device.flags.lockAttempts.failedAttempts,
      retryAt: LockRules.retryAt(device.flags.lockAttempts, now: now()))
  }

  /// Whether the user may be prompted now, or was since `answered` prompts had been answered; false when there is
  /// nothing to unlock. Failed attempts of all processes on this folder count.
  func mayAuthenticate(answered: Int) throws(RPCError) -> Bool {
    if lock.outcome(since: answered) != nil { return true }
    readLockAttempts()
    guard isLocked else { return false }
    guard client.abilities.authenticates else { throw RPCError.cannotAuthenticate(at: nil) }
    let now = now()
    let settled = device.flags.lockAttempts.settled(now)
    if settled != device.flags.lockAttempts { changeFlags { $0.lockAttempts = settled } }
    try refuseEarlyAttempt(now)
    return true
  }

  private func refuseEarlyAttempt(_ now: Instant) throws(RPCError) {
    guard let retryAt = LockRules.retryAt(device.flags.lockAttempts, now: now) else { return }
    throw RPCError(
      .tooManyAttempts, "too many attempts failed", hint: "the next one is allowed at \(retryAt)", retryAt: retryAt)
  }

  /// How many attempts may fail before there is a delay.
  var attemptsLeft: Int { max(1, LockRules.freeAttempts - device.flags.lockAttempts.failedAttempts) }

  /// The prompt to wait for before the lock is switched on, so that only a user who can unlock it enables it; nil once
  /// the user was authenticated.
  func authentication(_ call: Call) throws(RPCError) -> Preparation? {
    guard !call.isAuthenticated else { return nil }
    guard client.abilities.authenticates else { throw RPCError.cannotAuthenticate(at: "/lockEnabled") }
    guard !call.isInBatch else {
      throw RPCError(
        .authenticationUnavailable, "the user cannot be asked while a batch is answered", pointer: "/lockEnabled",
        hint: "send the request by itself")
    }
    readLockAttempts()
    try refuseEarlyAttempt(now())
    return .authentication(reason: "Switch on the lock of Daybook")
  }

  /// Records an attempt, and throws if it failed, or if others have failed too often meanwhile.
  func recordAttempt(_ isTheUser: Bool) throws(RPCError) {
    // Parallel prompts must not allow more attempts than sequential ones.
    readLockAttempts()
    let now = now()
    try refuseEarlyAttempt(now)
    if isTheUser {
      if device.flags.lockAttempts != .none { changeFlags { $0.lockAttempts = .none } }
      return
    }
    changeFlags(insists: true) { $0.lockAttempts = $0.lockAttempts.failed(at: now) }
    log.warning(.lock, "an attempt to unlock failed, number \(device.flags.lockAttempts.failedAttempts) in a row")
    throw RPCError(
      .authenticationFailed, "the user was not authenticated",
      retryAt: LockRules.retryAt(device.flags.lockAttempts, now: now))
  }

  /// Reads the attempts of other processes on this folder.
  func readLockAttempts() {
    // Attempts that are not written yet, or cannot be, count too.
    guard device.isSaved else { return }
    let content = smallFile(.flags).read()
    guard case SmallFile.Content.value(let object) = content else { return }
    device.flags.lockAttempts = Flags(object, device: deviceZone.name, now: now()).lockAttempts
  }

  /// Locks if the app was away for too long, and may still be; returns whether it has locked.
  @discardableResult
  func lockAfterAbsence(isBack: Bool) -> Bool {
    guard isBack || lock.isAway else { return false }
    let hasLocked = lock.checkAbsence(
      isBack: isBack, at: Session.monotonicMilliseconds(), isEnabled: isLockEnabled,
      lockAfter: Int64(presentSettings.lockAfterMs))
    if hasLocked { log.info(.lock, "locked after an absence") }
    return hasLocked
  }
}

extension RPCError {
  fileprivate static func cannotAuthenticate(at pointer: String?) -> RPCError {
    RPCError(
      .authenticationUnavailable, "the client has not said that it can authenticate the user", pointer: pointer,
      hint: "declare the capability “authenticate” in “initialize”, and answer “device/authenticate”")
  }

  /// The request that prompted the user was cancelled.
  static var cancelledPrompt: RPCError {
    RPCError(.requestCancelled, "cancelled before the user had answered")
  }

  /// The user gave no answer.
  static var noAttempt: RPCError {
    RPCError(.authenticationFailed, "the user did not try, or not in time", hint: "ask again")
  }
}
