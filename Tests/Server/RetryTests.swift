import JSONRPC
import Platform
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("Messages that wait for the folder's lock")
struct RetryTests {
  @Test("They are retried although the thread for the retry could not be started")
  func lostRetry() throws {
    let folder = try TemporaryFolder()
    let (input, output) = (try #require(Pipe()), try #require(Pipe()))
    let service = Service(
      options: ServiceOptions(dataFolder: folder.data, logLevel: .error), input: input.reading,
      output: output.writing)
    let request = Array(#"{"jsonrpc":"2.0","id":7,"method":"server/info"}"#.utf8)
    // As after `requeue`: new messages see a scheduled drain.
    _ = request.withUnsafeBytes { service.traffic.requeue($0, nil, at: service.session.now()) }
    service.session.enqueue { $0.setFraming(.newline) }
    service.session.retryWaiting()
    var answer = [UInt8](repeating: 0, count: 4096)
    let count = answer.withUnsafeMutableBytes { StandardStreams.read(output.reading, into: $0) ?? 0 }
    #expect(String(decoding: answer[..<count], as: UTF8.self).contains(#""id":7"#))
    #expect(!service.traffic.hasMessages)
  }
}
