import DaybookProtocol
import FileStore
import JSONRPC
import Platform

/// What a suspended request waits for.
enum Preparation: Sendable {
  /// Work on a thread of its own. It may be cancelled, and then returns a resumption that throws.
  case work(@Sendable (WorkMonitor) -> Resumption)
  case authentication(reason: String)
}

/// Completes a request with what was prepared for it.
typealias Resumption = @Sendable (isolated Session, inout Call) throws(RPCError) -> Resumed

/// What became of a request that was resumed.
enum Resumed {
  /// It is answered with the text of a result.
  case done([UInt8])
  /// It waits once more.
  case waits(Preparation)
  /// Its handler runs: the preparation was only for that, or is out of date.
  case begins
}

/// The outcome of a handler of the session that may have to wait.
enum Resumable<Result> {
  case now(Result)
  case later(Preparation)
}

/// The outcome of a preparation.
final class PreparedOutcome: Sendable {
  /// The number of preparations of the request so far.
  let attempts: Int
  /// When processing of the request first began, for its trace.
  let started: UInt64?
  private let resumption: Guarded<Resumption?>

  init(_ resumption: @escaping Resumption, _ attempts: Int, _ started: UInt64?) {
    self.attempts = attempts
    self.started = started
    self.resumption = Guarded(resumption)
  }

  func resume(_ session: isolated Session, _ call: inout Call) throws(RPCError) -> Resumed {
    guard let resumption = resumption.withLock({ $0 }) else { return .begins }
    return try resumption(session, &call)
  }

  /// Drops the outcome off the session: it may hold the last reference to large parts of the store, and freeing them
  /// takes time.
  func drop() {
    Threads.startHeavy { [self] in
      _ = resumption.withLock { resumption in
        defer { resumption = nil }
        return resumption
      }
    }
  }
}

/// Requests that wait for long work, such as the undo of a large import, or for the user's authentication. Other
/// requests are answered meanwhile; then the message is processed again. The preparation may be out of date by then,
/// and is repeated.
extension Session {
  /// Suspends a request until its preparation is done. It can be cancelled meanwhile. False when another request has
  /// its id.
  func suspend(
    _ incoming: Incoming, _ attempts: Int, _ preparation: Preparation, _ started: UInt64?
  ) -> Bool {
    guard let id = incoming.requestID,
      traffic.add(id, method: incoming.methodName, state: .running, since: now())
    else { return false }
    let message = Array(incoming.text)
    let resume: @Sendable (@escaping Resumption) -> Void = { [weak self] resumption in
      let preparedOutcome = PreparedOutcome(resumption, attempts, started)
      self?.enqueue { $0.resume(id, message, preparedOutcome) }
    }
    switch preparation {
    case .work(let work):
      let cancellation = Cancellation()
      traffic.attach(id) { cancellation.set() }
      let body: @Sendable () -> Void = { resume(work(WorkMonitor(isCancelled: { cancellation.isSet }))) }
      if !Threads.startHeavy(isAwaited: true, body) { body() }
    case .authentication(let reason):
      let progress = Progress(channel: channel, framing: client.framing, workDone: nil, partialResult: nil)
      let answered = lock.answeredPrompts
      let task = Task.detached(executorPreference: WorkExecutor.shared) {
        var refusal: RPCError?
        do throws(RPCError) {
          _ = try await self.promptUser(
            reason, answered: answered, timeout: RequestTimeout.deviceAuthenticate, progress, .switchingOn)
        } catch { refusal = error }
        // The reply depends on the noted attempt.
        await self.notes.settle()
        resume { [refusal] _, call throws(RPCError) in
          if let refusal { throw refusal }
          call.isAuthenticated = true
          return .begins
        }
      }
      traffic.attach(id) { task.cancel() }
    }
    return true
  }

  /// The number of preparations off the session after which the session does the work itself, because something else
  /// changes all the time.
  static let maximumAttempts = 4

  private func resume(_ id: RequestID, _ text: [UInt8], _ preparedOutcome: PreparedOutcome) {
    writing.preparedOutcome[id] = preparedOutcome
    traffic.resume(id, text)
    drainMessages()
  }
}
