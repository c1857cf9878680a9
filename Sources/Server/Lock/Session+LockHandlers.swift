import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Premium

extension Session {
  func lockGet(_ params: NoParams) throws(RPCError) -> LockState { lockState }

  nonisolated func lockUnlock(
    _ params: LockUnlockParams, _ work: HeavyWork
  ) async throws(RPCError) -> LockUnlockResult {
    guard try await mayAuthenticate() else { return LockUnlockResult(route: await route, asked: false) }
    let question = DeviceAuthenticateParams(reason: "Unlock Daybook", attemptsLeft: await attemptsLeft)
    let reply = await clientRequests.ask(timeout: params.timeoutMs ?? Session.authenticationTimeout) { id in
      work.progress.request(id, DeviceAuthenticateParams.method, question)
    }
    try work.checkCancellation()
    let answer = Session.authentication(reply)
    guard let answer else {
      throw RPCError(.authenticationFailed, "the user did not try, or not in time", hint: "ask again")
    }
    let (route, events) = try await unlock(answer)
    for event in events { work.progress.follow(with: event) }
    return LockUnlockResult(route: route, asked: true)
  }

  /// How long the user may take, in milliseconds, unless the client says otherwise.
  static let authenticationTimeout = 60_000

  /// Whether the user was authenticated; nil for no attempt. What cannot be understood is one that failed.
  private static func authentication(_ reply: ClientRequests.Answer) -> Bool? {
    switch reply {
    case .none: return nil
    case .refused: return false
    case .result(let text):
      guard let result = text.withUnsafeBytes({ try? DeviceAuthenticateResult(json: $0, strict: false) }) else {
        return false
      }
      return result.cancelled == true && !result.authenticated ? nil : result.authenticated
    }
  }

  /// Takes what came of an attempt, and the route with it: nobody else is to tell of that before the answer.
  private func unlock(_ isTheUser: Bool) throws(RPCError) -> (route: Route, events: [Event]) {
    try authenticated(isTheUser)
    var call = Call(method: .lockUnlock)
    noteRoute(&call)
    return (route, call.events.filter { isWanted($0) })
  }

  func lockLock(_ params: NoParams, _ call: inout Call) throws(RPCError) -> LockState {
    if !isLockEnabled || entitlement.access.lockStanding == .notEntitled { try require(.lock) }
    guard isLockEnabled else {
      throw RPCError(.lockDisabled, "there is no lock", hint: "set “lockEnabled” with “settings/update”")
    }
    lock.isAuthenticated = false
    noteRoute(&call)
    return lockState
  }
}
