import DaybookProtocol
import JSON
import JSONRPC
import Platform

/// Requests served in this process one after the other, for the command line.
package final class Conversation {
  private let request: Pipe
  private let answer: Pipe
  private var unread: [UInt8] = []
  private var count = 0
  /// Whether stored data may be lost.
  package private(set) var isDamaged = false

  /// Nil when the system has no descriptors left.
  package init?(options: ServiceOptions) {
    guard let request = Pipe(), let answer = Pipe() else { return nil }
    (self.request, self.answer) = (request, answer)
    var options = options
    options.skipsHandshake = true
    options.isSingleCall = true
    options.followsFolder = false
    options.framing = .newline
    let service = Service(options: options, input: request.reading, output: answer.writing)
    Threads.start(stackSize: 8 << 20) {
      _ = service.run()
      answer.closeWriting()
    }
  }

  /// Sends a request and waits for its response; a change is durable by then. Nil when none comes.
  package func call(_ method: String, _ params: JSONValue) -> SingleCall.Response? {
    count += 1
    let message = JSONObject([
      ("jsonrpc", .string("2.0")), ("id", .number(JSONNumber(count))), ("method", .string(method)), ("params", params),
    ])
    request.write(JSONValue.object(message).json + [0x0A])
    while let line = nextLine() {
      guard let message = read(line), message["method"] == nil, message["id"] != nil else { continue }
      if let result = message["result"] { return .result(result.json) }
      if let error = message["error"] { return .error(error.json) }
    }
    return nil
  }

  /// Ends the service, and reads the notifications that it sends until then.
  package func end() {
    request.closeWriting()
    while let line = nextLine() { _ = read(line) }
  }

  private func read(_ line: [UInt8]) -> JSONObject? {
    guard case .object(let message)? = try? JSONValue(json: line) else { return nil }
    if case .string("storeRecovered")? = message["method"], case .object(let params)? = message["params"] {
      isDamaged = isDamaged || params["lossPossible"] == .bool(true)
    }
    return message
  }

  private func nextLine() -> [UInt8]? {
    var searched = 0
    var piece = [UInt8](repeating: 0, count: 65536)
    while true {
      if let end = unread[searched...].firstIndex(of: 0x0A) {
        let line = Array(unread[..<end])
        unread.removeFirst(end + 1)
        return line
      }
      searched = unread.count
      let count = piece.withUnsafeMutableBytes { StandardStreams.read(answer.reading, into: $0) } ?? 0
      guard count > 0 else { return nil }
      unread += piece[..<count]
    }
  }
}
