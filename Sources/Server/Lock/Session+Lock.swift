import CivilTime
import DaybookProtocol
import FileStore
import JSONRPC
import Platform
import Premium

/// The lock of this connection: who unlocks it, for how long, and when another attempt is allowed.
extension Session {
  /// Milliseconds of a clock that is never set, and goes on in sleep.
  static func monotonicMilliseconds() -> Int64 { Clock.sleeplessMilliseconds() }

  /// How the lock stands, as clients see it.
  var lockState: LockState {
    LockState(
      enabled: isLockEnabled, locked: isLocked, canAuthenticate: client.abilities.authenticates,
      failedAttempts: device.flags.lockAttempts.failedAttempts,
      retryAt: LockRules.retryAt(device.flags.lockAttempts, now: now()))
  }

  /// Whether the user may be asked now; nil when there is nothing to unlock. Attempts of other processes on this folder count too.
  func mayAuthenticate() throws(RPCError) -> Bool {
    readLockAttempts()
    guard isLocked else { return false }
    guard client.abilities.authenticates else {
      throw RPCError(
        .authenticationUnavailable, "the client has not said that it can authenticate the user",
        hint: "declare the capability “authenticate” in “initialize”, and answer “device/authenticate”")
    }
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

  /// How many attempts may fail before there is a wait.
  var attemptsLeft: Int { max(1, LockRules.freeAttempts - device.flags.lockAttempts.failedAttempts) }

  /// Takes what came of an attempt. Where another one has opened the lock meanwhile it is of no interest; where others have failed too
  /// often, it came too late.
  func authenticated(_ isTheUser: Bool) throws(RPCError) {
    guard isLocked else { return }
    // Of many questions asked at once no more may be tried than of some in a row.
    readLockAttempts()
    try refuseEarlyAttempt(now())
    if isTheUser {
      lock.isAuthenticated = true
      if device.flags.lockAttempts != .none { changeFlags { $0.lockAttempts = .none } }
      return
    }
    let now = now()
    changeFlags(insists: true) { $0.lockAttempts = $0.lockAttempts.failed(at: now) }
    log.warning(.lock, "an attempt to unlock failed, number \(device.flags.lockAttempts.failedAttempts) in a row")
    throw RPCError(
      .authenticationFailed, "the user was not authenticated",
      retryAt: LockRules.retryAt(device.flags.lockAttempts, now: now))
  }

  private func readLockAttempts() {
    // Those that cannot be written down count all the same.
    guard !device.hasUnsaved else { return }
    let content = smallFile(.flags).read()
    guard case SmallFile.Content.value(let object) = content else { return }
    device.flags.lockAttempts = Flags(object, device: deviceZone.name, now: now()).lockAttempts
  }

  /// Locks again if the app was away for too long.
  func lockAfterAbsence() {
    let now = Session.monotonicMilliseconds()
    guard lock.comeBack(at: now, isEnabled: isLockEnabled, lockAfter: Int64(presentSettings.lockAfterMs)) else {
      return
    }
    log.info(.lock, "locked after an absence")
  }
}
