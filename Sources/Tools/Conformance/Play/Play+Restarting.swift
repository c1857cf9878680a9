import JSON
import Spawning

extension Play {
  /// Does what comes before the first start, and tells the time zone of that.
  static func prepare(_ item: Case, data: String) throws(PlayFailure) -> String {
    var zone = item.zone
    for step in item.preparations {
      switch step.action {
      case .put(let path, let bytes): try put(bytes, path, data)
      // Nothing is remembered yet.
      case .putLine(let path, let text): try put(Array("\(SentText.filled(text, [:]))\n".utf8), path, data)
      case .take(let path): try take(path, data)
      case .zone(let name): zone = name
      default: break
      }
    }
    return zone
  }

  /// Writes a file of the data folder, for its owner alone.
  static func put(_ bytes: [UInt8], _ path: String, _ data: String) throws(PlayFailure) {
    guard Files.put(bytes, path, below: data) else { throw PlayFailure("\(path) cannot be written") }
  }

  /// Removes a file of the data folder.
  static func take(_ path: String, _ data: String) throws(PlayFailure) {
    guard Files.take("\(data)/\(path)") else { throw PlayFailure("there is no file \(path) to take") }
  }

  /// Kills the service; what it has said whole still has to be lawful.
  func kill() throws(PlayFailure) {
    service.mayBreakOff = true
    service.kill()
    try silence()
    do throws(WireError) { _ = try service.waitForEnd() } catch { throw PlayFailure(error) }
  }

  /// Ends the service in order, unless it has ended, and starts it again.
  func restart(_ further: [String]) throws(PlayFailure) {
    if service.end == nil { try finishInOrder() }
    (held, allowed, hasSignalled) = (nil, [], false)
    restarts += 1
    conversation.restart()
    service = try Play.start(item, framing, launch, data: data, zone: zone, further: further)
    if item.session == .initialized { try handshake() }
  }

  /// `shutdown` and `exit`; without a handshake, or after it, the end of the input is enough.
  private func finishInOrder() throws(PlayFailure) {
    var expected: ExitStatus?
    if item.session != .noHandshake, service.isInputOpen {
      let id = "shutdown-\(restarts)"
      try own(#"{"jsonrpc":"2.0","id":"\#(id)","method":"shutdown"}"#)
      try flush()
      if try answer(to: id) { expected = .exited(0) }
      try own(#"{"jsonrpc":"2.0","method":"exit"}"#)
      try flush()
    }
    service.closeInput()
    try silence()
    let end = try end()
    if let expected, end != expected { throw PlayFailure("expected to end with \(expected), found \(end)") }
  }

  /// Passes over messages up to the answer to a request of the runner's own; whether that is a result.
  private func answer(to id: String) throws(PlayFailure) -> Bool {
    allowed = []
    while let message = try next("the answer to shutdown") {
      guard case .object(let object) = message, object["method"] == nil, object["id"] == .string(id) else { continue }
      if object["result"] != nil || item.session == .none { return object["result"] != nil }
      throw PlayFailure("shutdown was refused", found: message)
    }
    throw PlayFailure("expected the answer to shutdown, found the end of its output")
  }

  /// Reads what it says to its end.
  private func silence() throws(PlayFailure) {
    allowed = []
    while try next("its end") != nil {}
  }
}
