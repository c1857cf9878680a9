import Foundation
import JSON
import Spawning

/// A running `daybook`, connected by real pipes; always ended with the test.
package final class Daybook: Sendable {
  /// The framing, and which streams are read from the start.
  package struct Manner: Sendable {
    package var isNewline = false
    package var readsOutput = true
    package var readsError = true
    /// Descriptors that are closed at its start.
    package var closed: [Int32] = []
    /// A wrapper command for the program, such as `["/bin/sh", "-c", "exec \"$@\"", "sh"]`.
    package var wrapper: [String] = []
    var framing: WireFraming { isNewline ? .newline : .header }

    package init() {}

    /// One message a line, without a handshake.
    package static var script: Manner {
      var manner = Manner()
      manner.isNewline = true
      return manner
    }
  }

  package let process: Spawned
  /// The messages not received yet.
  package let messages = Mailbox<JSONValue>()
  private let manner: Manner
  private let input: InputPipe
  private let output: OutputPipe
  private let error: OutputPipe
  private let strayBytes = Guard<[UInt8]>([])
  private let errorBytes = Guard<[UInt8]>([])
  private let errorEnded = Once<Bool>()

  /// Starts `daybook` with these arguments.
  package init(_ arguments: [String], _ manner: Manner = Manner(), environment: [String: String] = [:]) throws {
    self.manner = manner
    process = try Spawned(
      manner.wrapper + [try Program.path()] + arguments,
      environment: Program.environment.merging(environment) { $1 }, closing: manner.closed)
    input = InputPipe(process.input)
    output = OutputPipe(process.output)
    error = OutputPipe(process.error)
    if manner.readsOutput { readOutput() }
    if manner.readsError { readError() }
  }

  deinit {
    process.signal(SIGKILL)
    input.close()
    output.closeUnread()
    error.closeUnread()
  }

  /// Starts a service on a data folder; one that is no script shakes hands.
  package static func serve(
    _ folder: String, _ manner: Manner = .script, arguments: [String] = [], processID: Int? = nil,
    capabilities: String = "{}"
  ) async throws -> Daybook {
    let daybook = try Daybook(["--data", folder] + (manner.isNewline ? ["--no-handshake"] : []) + arguments, manner)
    if !manner.isNewline {
      let id = processID.map(String.init) ?? "null"
      daybook.request(
        "hello", "initialize", #"{"processId":\#(id),"clientInfo":{"name":"test"},"capabilities":\#(capabilities)}"#)
      if manner.readsOutput { _ = try await daybook.result("hello") }
      daybook.notify("initialized")
    }
    return daybook
  }

  // MARK: sending

  /// The bytes of a message on the wire.
  package func frame(_ json: String) -> [UInt8] {
    manner.framing.framed(json)
  }

  /// Sends bytes, without waiting until they are taken.
  package func post(_ bytes: [UInt8]) { input.post(bytes) }

  /// Sends a request, without waiting for anything.
  package func request(_ id: String, _ method: String, _ params: String = "{}") {
    post(frame(Daybook.request(id, method, params)))
  }

  /// The text of a request.
  package static func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":"\#(id)","method":"\#(method)","params":\#(params)}"#
  }

  /// Sends a notification.
  package func notify(_ method: String, _ params: String = "{}") {
    post(frame(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#))
  }

  /// Waits until everything sent was taken, or cannot be any more.
  package func allTaken() async throws { try await input.allTaken() }

  /// Closes its standard input, after everything sent.
  package func closeInput() { input.close() }

  /// Closes our end of its standard output, of which nothing was read.
  package func closeOutput() { output.closeUnread() }

  // MARK: receiving

  /// Begins to read standard output.
  package func readOutput() {
    output.startMessages(manner.framing) { [messages] message in
      messages.put(message)
    } stray: { [strayBytes] bytes in
      strayBytes.with { $0 += bytes }
    } atEnd: { [messages] in
      messages.close()
    }
  }

  /// Begins to read standard error.
  package func readError() {
    error.start { [errorBytes] bytes in
      errorBytes.with { $0 += bytes }
    } atEnd: { [errorEnded] in
      errorEnded.set(true)
    }
  }

  /// Bytes on standard output that belong to no message.
  package var garbage: String { String(decoding: strayBytes.with { $0 }, as: UTF8.self) }

  /// What it has written to standard error so far.
  package var errorSoFar: String { String(decoding: errorBytes.with { $0 }, as: UTF8.self) }

  /// All it has written to standard error, once that was closed.
  package func errorText() async throws -> String {
    _ = try await errorEnded.value("standard error stays open")
    return errorSoFar
  }

  /// How it ended.
  package func exitStatus() async throws -> ExitStatus { try await process.exitStatus() }

  /// The response to a request.
  package func response(_ id: String) async throws -> JSONValue {
    guard let message = try await messages.take("the answer to “\(id)”", where: { $0.responseID == .string(id) })
    else { throw HarnessError("no answer to “\(id)”; standard error: \(errorSoFar)") }
    return message
  }

  /// The result of a request.
  package func result(_ id: String) async throws -> JSONValue {
    let response = try await response(id)
    guard let result = response["result"] else { throw HarnessError("refused: \(response.text)") }
    return result
  }

  /// Makes a request and waits for its result.
  @discardableResult
  package func call(_ id: String, _ method: String, _ params: String = "{}") async throws -> JSONValue {
    request(id, method, params)
    return try await result(id)
  }

  /// Makes a request that must be refused, and returns the name of the error.
  package func refusal(_ id: String, _ method: String, _ params: String = "{}") async throws -> String? {
    request(id, method, params)
    return try await response(id)["error"]?["data"]?["name"]?.string
  }
}
