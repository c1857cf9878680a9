import DomainKit
import Premium

extension Session {
  func lockGet(_ params: NoParams) throws(RPCError) -> LockState {
    readLockAttempts()
    return lockState
  }

  nonisolated func lockUnlock(
    _ params: LockUnlockParams, _ work: HeavyWork
  ) async throws(RPCError) -> LockUnlockResult {
    guard try await mayAuthenticate(answered: work.answeredPrompts) else {
      return LockUnlockResult(route: await route, asked: false)
    }
    let timeout = params.timeoutMs ?? RequestTimeout.deviceAuthenticate
    let (route, events) = try await promptUser(
      "Unlock Daybook", answered: work.answeredPrompts, timeout: timeout, work.progress, .unlocking)
    for event in events { work.progress.follow(with: event) }
    return LockUnlockResult(route: route, asked: true)
  }

  /// The purpose of a prompt.
  enum PromptPurpose: Sendable {
    case unlocking
    case switchingOn
  }

  /// Prompts the user for authentication, or waits for the outcome of another request's prompt on this connection: a
  /// user with two prompts at once cannot tell them apart, and an attempt counts once. If that request is cancelled,
  /// the next one prompts. Returns the route afterwards and the events to send.
  nonisolated func promptUser(
    _ reason: String, answered: Int, timeout: Int, _ progress: Progress, _ purpose: PromptPurpose
  ) async throws(RPCError) -> (route: Route, events: [Event]) {
    switch await awaitCallback({ session, done in session.lock.enterPrompt(answered: answered, done) }) {
    case nil: throw Task.isCancelled ? RPCError.cancelledPrompt : RPCError.noAttempt
    case .another(let outcome):
      try outcome.get()
      return (await route, [])
    case .own:
      let question = DeviceAuthenticateParams(reason: reason, attemptsLeft: await attemptsLeft)
      let reply = await clientRequests.ask(timeout: timeout) { id in
        progress.request(id, DeviceAuthenticateParams.method, question)
      }
      return try await endPrompt(Task.isCancelled ? nil : reply, purpose)
    }
  }

  /// Evaluates the answer to the prompt, and completes the waiting requests; `reply` is nil when the request was
  /// cancelled.
  private func endPrompt(
    _ reply: ClientRequests.Answer?, _ purpose: PromptPurpose
  ) throws(RPCError) -> (route: Route, events: [Event]) {
    guard let reply else {
      lock.endPrompt(nil)
      throw RPCError.cancelledPrompt
    }
    do throws(RPCError) {
      guard let isTheUser = Session.authentication(reply) else { throw RPCError.noAttempt }
      let wasLocked = isLocked
      // An attempt does not count when the lock is open by now.
      if wasLocked || purpose == .switchingOn { try recordAttempt(isTheUser) }
      if wasLocked { lock.isAuthenticated = true }
      lock.endPrompt(.success(()))
    } catch {
      lock.endPrompt(.failure(error))
      throw error
    }
    guard purpose == .unlocking else { return (route, []) }
    // No other code announces the route before the reply.
    var call = Call(method: .lockUnlock)
    appendRouteChange(&call)
    return (route, call.events.filter { isWanted($0) })
  }

  /// Whether the user was authenticated; nil for no attempt. A reply that cannot be decoded counts as a failed attempt.
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

  func lockLock(_ params: NoParams, _ call: inout Call) throws(RPCError) -> LockState {
    if !isLockEnabled || entitlement.access.lockStanding == .notEntitled { try require(.lock) }
    guard isLockEnabled else {
      throw RPCError(.lockDisabled, "there is no lock", hint: "set “lockEnabled” with “settings/update”")
    }
    lock.isAuthenticated = false
    appendRouteChange(&call)
    return lockState
  }
}
