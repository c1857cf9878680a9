import DaybookProtocol
import DomainKit
import JSON
import JSONRPC
import Premium

extension Session {
  func lockGet(_ params: NoParams) throws(RPCError) -> LockState {
    readLockAttempts()
    return lockState
  }

  nonisolated func lockUnlock(
    _ params: LockUnlockParams, _ work: HeavyWork
  ) async throws(RPCError) -> LockUnlockResult {
    guard try await mayAuthenticate() else { return LockUnlockResult(route: await route, asked: false) }
    switch await waiting({ session, done in session.lock.enterPrompt(done) }) {
    case nil:
      try work.checkCancellation()
      throw RPCError.notTried
    case .another(let outcome): return LockUnlockResult(route: try outcome.get(), asked: true)
    case .own:
      do throws(RPCError) {
        let route = try await ask(params, work)
        await endPrompt(.success(route))
        return LockUnlockResult(route: route, asked: true)
      } catch {
        await endPrompt(error.code == ErrorName.requestCancelled.code ? nil : .failure(error))
        throw error
      }
    }
  }

  private nonisolated func ask(_ params: LockUnlockParams, _ work: HeavyWork) async throws(RPCError) -> Route {
    let question = DeviceAuthenticateParams(reason: "Unlock Daybook", attemptsLeft: await attemptsLeft)
    let reply = await clientRequests.ask(timeout: params.timeoutMs ?? RequestTimeout.deviceAuthenticate) { id in
      work.progress.request(id, DeviceAuthenticateParams.method, question)
    }
    try work.checkCancellation()
    guard let answer = Session.authentication(reply) else { throw RPCError.notTried }
    let (route, events) = try await unlock(answer)
    for event in events { work.progress.follow(with: event) }
    return route
  }

  private func endPrompt(_ outcome: Result<Route, RPCError>?) { lock.endPrompt(outcome) }

  /// Whether the user was authenticated; nil for no attempt. What cannot be understood is one that failed.
  static func authentication(_ reply: ClientRequests.Answer) -> Bool? {
    switch reply {
    case .none: return nil
    case .refused: return false
    case .result(let text):
      guard let result = text.withUnsafeBytes({ try? DeviceAuthenticateResult(json: $0, strict: false) }) else {
        return false
      }
      return result.cancelled == true ? nil : result.authenticated
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
