import DaybookProtocol
import FileStore
import JSONRPC
import Platform

/// What a request waits for.
enum Preparation: Sendable {
  /// Something that takes long, worked out on a thread of its own. It may be cancelled, and then says so by what it returns.
  case work(@Sendable (WorkMonitor) -> Resumption)
  /// That the user proves who they are.
  case authentication(reason: String)
}

/// Ends a request with what was worked out for it, and returns the text of the result; nil when that is out of date by now.
typealias Resumption = @Sendable (isolated Session, inout Call) throws(RPCError) -> [UInt8]?

/// What was worked out for a request.
final class WorkedOut: Sendable {
  /// How often that was done for it.
  let attempts: Int
  /// When the request's turn came first, for its trace.
  let started: UInt64?
  private let resumption: Guarded<Resumption?>

  init(_ resumption: @escaping Resumption, _ attempts: Int, _ started: UInt64?) {
    self.attempts = attempts
    self.started = started
    self.resumption = Guarded(resumption)
  }

  func resume(_ session: isolated Session, _ call: inout Call) throws(RPCError) -> [UInt8]? {
    try resumption.withLock { $0 }?(session, &call)
  }

  /// Drops it, away from the session: it keeps alive what the store has dropped, and to give much back takes time.
  func drop() {
    Threads.startHeavy { [self] in
      _ = resumption.withLock { resumption in
        defer { resumption = nil }
        return resumption
      }
    }
  }
}

/// Requests that wait for something that takes long, such as the undo of a large import or the user's finger: others are answered
/// meanwhile, and then the message has its turn again. What was worked out may be out of date by then; so it is tried again.
extension Session {
  /// Puts a request aside until what it waits for is there. It can be cancelled meanwhile. False when another request has its id.
  func setAside(
    _ envelope: Envelope, _ text: UnsafeRawBufferPointer, _ method: Method?, _ attempts: Int,
    _ preparation: Preparation, _ started: UInt64?
  ) -> Bool {
    guard let range = envelope.id else { return false }
    let id = RequestID(lexeme: UnsafeRawBufferPointer(rebasing: text[range]))
    guard traffic.add(id, method: method.map { "\($0.name)" } ?? "", state: .running, since: now()) else {
      return false
    }
    let message = Array(text)
    let resume: @Sendable (@escaping Resumption) -> Void = { [weak self] resumption in
      let workedOut = WorkedOut(resumption, attempts, started)
      self?.enqueue { $0.resume(id, message, workedOut) }
    }
    switch preparation {
    case .work(let work):
      let cancellation = Cancellation()
      traffic.attach(id) { cancellation.set() }
      let body: @Sendable () -> Void = { resume(work(WorkMonitor(isCancelled: { cancellation.isSet }))) }
      if !Threads.startHeavy(body) { body() }
    case .authentication(let reason):
      let progress = Progress(channel: channel, framing: client.framing, workDone: nil, partialResult: nil)
      let answered = lock.answeredPrompts
      let task = Task.detached(executorPreference: WorkExecutor.shared) {
        var refusal: RPCError?
        do throws(RPCError) {
          _ = try await self.askUser(
            reason, answered: answered, timeout: RequestTimeout.deviceAuthenticate, progress, .switchingOn)
        } catch { refusal = error }
        // The answer tells of the attempt.
        await self.notes.settle()
        resume { [refusal] _, call throws(RPCError) in
          if let refusal { throw refusal }
          call.isAuthenticated = true
          return nil
        }
      }
      traffic.attach(id) { task.cancel() }
    }
    return true
  }

  /// So often something is worked out away from the session; then the session does it itself, as something else is changed all the
  /// time.
  static let mostAttempts = 4

  private func resume(_ id: RequestID, _ text: [UInt8], _ workedOut: WorkedOut) {
    writing.workedOut[id] = workedOut
    traffic.resume(id, text)
    takeMessages()
  }
}
