import JSONRPC
import Platform
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("What waits for the folder's lock")
struct RetryTests {
  @Test("It is tried again although the thread that was to do so never came to run")
  func lostRetry() throws {
    let folder = try TemporaryFolder()
    let (input, output) = (try #require(Pipe()), try #require(Pipe()))
    let service = Service(
      options: ServiceOptions(dataFolder: folder.data, logLevel: .error), input: input.reading,
      output: output.writing)
    let request = Array(#"{"jsonrpc":"2.0","id":7,"method":"server/info"}"#.utf8)
    // As after `requeue`: each new message is told that the queue is going to be drained.
    _ = request.withUnsafeBytes { service.traffic.requeue($0, nil, at: service.session.now()) }
    service.session.enqueue { $0.setFraming(.newline) }
    service.session.retryWaiting()
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = answer.withUnsafeMutableBytes { StandardStreams.read(output.reading, into: $0) ?? 0 }
    #expect(String(decoding: answer[..<count], as: UTF8.self).contains(#""id":7"#))
    #expect(!service.traffic.hasMessages)
  }
}
