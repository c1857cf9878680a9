import DaybookProtocol
import JSON
import JSONRPC

extension Session {
  /// Settles the framing of what goes out.
  func begin(_ framing: Framing) {
    guard !client.hasBegun else { return }
    client.hasBegun = true
    client.framing = framing
    outgoing.frames = OutgoingFrames(framing: framing)
  }

  /// Bytes answered and not handed to the channel yet.
  var unflushedBytes: Int {
    guard let frames = outgoing.frames.take() else { return 0 }
    let count = frames.count
    outgoing.frames = consume frames
    return count
  }

  /// Works on the messages that wait, as long as the client takes the answers.
  func takeMessages() {
    // After the end nothing is begun, nor before the framing is known: who put the first message tells it, and comes here then. Others,
    // who look from time to time whether something waits, can come earlier.
    guard client.hasBegun, client.exitStatus == nil else { return }
    while true {
      if traffic.isFullForNow() { return }
      guard let item = traffic.next() else { break }
      switch item {
      case .message(let text, let id, let isCancelled):
        defer { if id != nil { traffic.endTrying() } }
        if let id, isCancelled {
          writing.waitsSince = nil
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

  /// Answers a request that was cancelled before its turn came.
  private func cancelled(_ id: RequestID) {
    writing.takeWorkedOut(id)?.drop()
    guard var frames = outgoing.frames.take() else { return }
    id.lexeme.withUnsafeBytes { frames.fail($0, RPCError(.requestCancelled, "cancelled before it was begun")) }
    outgoing.frames = consume frames
  }

  private func refuse(_ id: RequestID?) {
    guard var frames = outgoing.frames.take() else { return }
    (id?.lexeme ?? []).withUnsafeBytes { id in
      frames.fail(
        id.isEmpty ? nil : id,
        RPCError(.overloaded, "too many requests wait because their answers are not taken", hint: "read the answers"))
    }
    outgoing.frames = consume frames
  }

  /// Whether a message is one that does not wait for its turn; then it has been worked on.
  nonisolated func overtakes(_ envelope: Envelope, _ text: UnsafeRawBufferPointer) -> Bool {
    guard envelope.kind == .notification, method(envelope, text) == .cancelRequest,
      case .object(let params) = envelope.params,
      let cancel = try? CancelRequestParams(json: UnsafeRawBufferPointer(rebasing: text[params]), strict: false)
    else { return false }
    traffic.cancel(RequestID(lexeme: cancel.id.json))
    return true
  }
}
