import DaybookProtocol
import JSONRPC

extension Session {
  /// Sets the framing of the output, once.
  func setFraming(_ framing: Framing) {
    guard !client.hasBegun else { return }
    client.hasBegun = true
    client.framing = framing
    outgoing.frames = OutgoingFrames(framing: framing)
  }

  /// Bytes of replies that have not been handed to the channel yet.
  var unflushedBytes: Int {
    var count = 0
    withFrames { count = $0.count }
    return count
  }

  /// Runs `body` on the output that is not handed over yet; false while a message is being processed, which owns it.
  @discardableResult
  func withFrames(_ body: (inout OutgoingFrames) -> Void) -> Bool {
    guard var frames = outgoing.frames.take() else { return false }
    body(&frames)
    outgoing.frames = consume frames
    return true
  }

  /// Processes queued messages until too many replies are unsent.
  func drainMessages() {
    // Nothing starts after the end, or before the framing is known: the caller that queues the first message sets it,
    // and drains the queue then. Periodic drains may come earlier.
    guard client.hasBegun, client.exitStatus == nil else { return }
    while true {
      if traffic.isFullForNow() { return }
      guard let item = traffic.next() else { break }
      switch item {
      case .message(let text, let id, let isCancelled):
        defer { if id != nil { traffic.endAttempt() } }
        if let id, isCancelled {
          writing.waitingSince = nil
          cancelled(id)
        } else if !text.withUnsafeBytes({ receive($0) }) {
          return flush()
        }
      case .fault(let fault): receive(fault)
      case .overload(let id): refuse(id)
      }
      flush()
      if let status = client.exitStatus { return host.end(status) }
    }
  }

  /// Answers a request that was cancelled while it was queued.
  private func cancelled(_ id: RequestID) {
    writing.takePreparedOutcome(id)?.drop()
    withFrames { frames in
      id.lexeme.withUnsafeBytes { frames.fail($0, RPCError(.requestCancelled, "cancelled before it was begun")) }
    }
  }

  private func refuse(_ id: RequestID?) {
    let error = RPCError(
      .overloaded, "too many requests wait because their answers are not taken", hint: "read the answers")
    withFrames { frames in
      (id?.lexeme ?? []).withUnsafeBytes { frames.fail($0.isEmpty ? nil : $0, error) }
    }
  }

  /// Whether a message is a cancellation, which does not queue; it has been carried out then.
  nonisolated func overtakes(_ incoming: Incoming) -> Bool {
    guard incoming.envelope.kind == .notification, incoming.method == .cancelRequest, let params = incoming.params,
      let cancel = try? CancelRequestParams(json: params, strict: false)
    else { return false }
    traffic.cancel(RequestID(lexeme: cancel.id.json))
    return true
  }
}
