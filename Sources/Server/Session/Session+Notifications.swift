import DaybookProtocol
import JSONRPC

extension Session {
  /// Processes a notification; unknown ones are ignored, because editors send many.
  func receiveNotification(_ incoming: Incoming) {
    guard let method = incoming.method else { return noteUnknown(incoming) }
    guard method.effect == .notification else {
      // There is no reply to carry the error; the log helps a developer who misses the change.
      guard method.effect != .read, client.lifecycle != .awaitingInitialize else { return }
      let level: Log.Level = client.isScript ? .error : .warning
      log.write(level, .protocol) { "\(public: method.name) came without an id, and was not carried out" }
      return tell(.warning, "“\(method.name)” is a request: without an id it is not carried out")
    }
    // Before “initialize” only “exit” is accepted.
    guard method == .exit || client.lifecycle != .awaitingInitialize else { return }
    switch method {
    case .exit: client.exitStatus = client.lifecycle.exitStatus
    case .initialized:
      guard case .running = client.lifecycle else { return }
      client.lifecycle = .running(hasConfirmed: true)
      enqueue { $0.launch() }
    case .cancelRequest:
      guard let params: CancelRequestParams = params(of: incoming) else { return }
      traffic.cancel(RequestID(lexeme: params.id.json))
    case .setTrace:
      guard let params: SetTraceParams = params(of: incoming) else { return }
      client.trace = params.value
    default: break
    }
  }

  /// Tells a script of a message without an id whose method is unknown: it may be a change with a typing error.
  private func noteUnknown(_ incoming: Incoming) {
    guard client.isScript, !incoming.methodName.hasPrefix("$/") else { return }
    log.error(
      .protocol, "a message without an id has no known method, and was ignored: “\(private: incoming.methodName)”")
  }

  /// The params of a notification; nil when they are invalid, which no reply can report.
  private func params<Params: JSONDecodable>(of incoming: Incoming) -> Params? {
    guard let text = incoming.params else { return nil }
    do throws(JSONError) {
      return try Params(json: text, strict: false)
    } catch {
      log.warning(.protocol, "a notification has wrong params: \(error.code)")
      return nil
    }
  }

  /// Processes the client's reply to a request of ours; one that matches no request is dropped.
  func receiveResponse(_ incoming: Incoming) {
    guard let id = incoming.id, let number = Int(String(decoding: id, as: UTF8.self)) else { return }
    clientRequests.resume(number, incoming.envelope.result.map { .result(Array(incoming.text[$0])) } ?? .refused)
  }
}
