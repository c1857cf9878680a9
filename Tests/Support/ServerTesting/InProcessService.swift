import DaybookServer
import JSON
import Platform
import ProcessTesting
import Testing
import Values

/// A service in this process, connected by pipes; one thread waits for each response. A result that contradicts the
/// declaration of its method is an issue of the test.
package final class InProcessService {
  private let input: Pipe
  private let output: Pipe
  private var buffer: [UInt8] = []
  private var number = 0
  /// The notifications received since the last read.
  package var events: [JSONValue] = []
  private let ended = Count()
  /// Whether the folder has records with members of other versions, which no declaration knows.
  private let hasOtherVersions: Bool

  /// A service on a folder, with a strictly ascending clock.
  package init?(folder: String, hasOtherVersions: Bool = false, _ change: (inout ServiceOptions) -> Void = { _ in }) {
    guard let input = Pipe(), let output = Pipe() else { return nil }
    self.input = input
    self.output = output
    self.hasOtherVersions = hasOtherVersions
    let clock = SteadyClock()
    var options = ServiceOptions(dataFolder: folder, logLevel: .error)
    options.skipsHandshake = true
    options.now = { clock.next() }
    change(&options)
    let service = Service(options: options, input: input.reading, output: output.writing)
    let ended = ended
    Threads.start(stackSize: 8 << 20) {
      _ = service.run()
      output.closeWriting()
      ended.add()
    }
    // Scripts receive events only after subscribing.
    _ = call("events/subscribe", "{}")
  }

  /// Sends a request and waits for the response.
  package func call(_ method: String, _ params: String) -> JSONValue {
    number += 1
    input.write(Array("{\"jsonrpc\":\"2.0\",\"id\":\(number),\"method\":\"\(method)\",\"params\":\(params)}\n".utf8))
    while true {
      guard let message = next() else { return .null }
      if message.responseID?.integer == number {
        if !hasOtherVersions, let result = message["result"],
          let problem = DeclaredResults.repository?.mismatch(result, of: method)
        {
          Issue.record("the result of \(method) \(params.prefix(300)) is not as declared: \(problem)")
        }
        return message
      }
      events.append(message)
    }
  }

  /// The first notification of a method since the last read, also one that came before a response; nil when the
  /// service ends first.
  package func event(_ method: String) -> JSONValue? {
    if let known = events.first(where: { $0["method"]?.string == method }) { return known }
    while let message = next() {
      events.append(message)
      if message["method"]?.string == method { return message }
    }
    return nil
  }

  /// Closes the input and waits for the end.
  package func close() {
    input.closeWriting()
    while next() != nil {}
  }

  private func next() -> JSONValue? {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = Array(buffer[..<end])
        buffer.removeFirst(end + 1)
        return try? JSONValue(json: line)
      }
      guard StandardStreams.isReadable(output.reading, within: Int32(HangGuard.seconds * 1000)) else {
        Issue.record("hangs: nothing came in \(HangGuard.seconds) s")
        return nil
      }
      var piece = [UInt8](repeating: 0, count: 65536)
      let count = piece.withUnsafeMutableBytes { StandardStreams.read(output.reading, into: $0) ?? 0 }
      if count == 0 { return nil }
      buffer += piece[..<count]
    }
  }
}
