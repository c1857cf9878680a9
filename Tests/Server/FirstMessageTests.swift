import JSONRPC
import Platform
import ProcessTesting
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The first message of a connection")
struct FirstMessageTests {
  @Test("It is answered even if the queue is drained before its framing is known")
  func early() async throws {
    let folder = try TemporaryFolder()
    let output = try #require(Pipe())
    var options = ServiceOptions(dataFolder: folder.path + "/data", logLevel: .error)
    options.skipsHandshake = true
    let service = Service(options: options, input: -1, output: output.writing)
    let message = Array(#"{"jsonrpc":"2.0","id":1,"method":"server/info"}"#.utf8)
    let isNeeded = message.withUnsafeBytes { service.traffic.enqueue($0, nil, at: service.session.now()) }
    #expect(isNeeded)
    service.session.retryWaiting()
    #expect(await eventually { service.executor.isIdle })
    #expect(service.traffic.hasMessages, "it still waits")
    service.schedule(.newline, isNeeded)
    #expect(await eventually { service.executor.isIdle && !service.traffic.hasMessages })
    service.channel.flush(within: .max)
    output.closeWriting()
    #expect(String(decoding: output.readAll(), as: UTF8.self).hasPrefix(#"{"jsonrpc":"2.0","id":1,"result":{"#))
  }
}
