import JSON
import Spawning

extension Play {
  /// Plays one step.
  func play(_ step: Step) throws(PlayFailure) {
    if case .barrier = step.action { try sendBarrier() }
    if !step.isSend { try flush() }
    switch step.action {
    case .send(let text): try send(message: try filled(text))
    case .sendRepeatedly(let text, let count):
      for text in SentText.repeated(text, count) { try send(message: try filled(text)) }
    case .raw(let bytes, let count): try send(raw: bytes, count)
    case .expect(let pattern): try match(try next(step.text), pattern)
    case .expectAnyOrder(let patterns): try matchAnyOrder(patterns, step.text)
    case .allow(let pattern): allowed.append(pattern)
    case .forbid(let method): forbidden.insert(method)
    case .barrier: try barrier()
    case .await(let pattern): try pass(pattern, step.text)
    case .endOfInput: service.closeInput()
    case .exchange:
      guard Files.move(data, to: "\(data).away"), Files.move(Play.copy(of: data), to: data) else {
        throw PlayFailure("the data folder cannot be exchanged")
      }
    case .signal(let signal):
      hasSignalled = true
      service.send(signal)
    case .exit(let status): try exit(status)
    case .standardError(let text):
      guard Words.contains(text, in: service.complaints) else {
        throw PlayFailure("standard error does not contain the text")
      }
    case .restart(let further): try restart(further)
    case .kill: try kill()
    case .put(let path, let bytes): try Play.put(bytes, path, data)
    case .putLine(let path, let text): try Play.put(Array("\(try filled(text))\n".utf8), path, data)
    case .take(let path): try Play.take(path, data)
    case .zone(let name): zone = name
    case .undrained: service.isDrained = false
    }
  }

  /// The text of a message with what is remembered; waits for an open `<<?` only if that has to remember it first.
  private func filled(_ text: String) throws(PlayFailure) -> String {
    /// The first name that nothing was remembered as.
    func missing() -> String? { SentText.names(in: text).first { bindings[$0] == nil } }
    if missing() != nil {
      try flush()
      try settle()
    }
    if let name = missing() { throw PlayFailure("nothing was remembered as “\(name)”") }
    return SentText.filled(text, bindings)
  }

  /// Sends the request whose answer proves silence.
  private func sendBarrier() throws(PlayFailure) {
    barriers += 1
    try own(#"{"jsonrpc":"2.0","id":"barrier-\#(barriers)","method":"server/info"}"#)
  }

  /// The answer to the barrier has to be the next message.
  private func barrier() throws(PlayFailure) {
    let message = try next("the answer to a barrier")
    guard let message else { throw PlayFailure("expected silence, found the end of its output") }
    guard case .object(let object) = message, object["method"] == nil, object["id"] == .string("barrier-\(barriers)")
    else { throw PlayFailure("expected silence, found a message", found: message) }
  }

  /// Waits for the end of the service, after all it had to say.
  private func exit(_ status: Int) throws(PlayFailure) {
    let isUndrained = !service.isDrained
    if !isUndrained { while try next("its end") != nil {} }
    let end = try end()
    if isUndrained {
      // Nobody read while it ended: the last message may break off, but those that are whole have to be lawful.
      service.mayBreakOff = true
      while try next("its last words") != nil {}
    }
    guard end == .exited(status) else { throw PlayFailure("expected to end with status \(status), found \(end)") }
  }
}
