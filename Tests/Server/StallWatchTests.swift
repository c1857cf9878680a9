import DaybookProtocol
import JSONRPC
import Platform
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("The watch for unanswered requests")
struct StallWatchTests {
  private let folder: TemporaryFolder
  private let service: Service
  private let second: UInt64 = 1_000_000_000
  private let id = RequestID(lexeme: [0x31])

  init() throws {
    folder = try TemporaryFolder()
    service = Service(options: ServiceOptions(dataFolder: folder.data, logLevel: .error), input: -1, output: -1)
  }

  private func add(_ method: String = "meals/add") -> Bool {
    service.traffic.add(id, method: method, state: .committing, since: Instant(milliseconds: 0))
  }

  /// The reports within some seconds, in each of which the process uses some processor time.
  private func reports(_ watch: inout StallWatch, seconds: ClosedRange<UInt64>, busy: UInt64 = 0) -> [String] {
    seconds.compactMap { watch.check(service, now: $0 * second, processor: $0 * busy) }
  }

  @Test("A request without a reply is reported after five seconds, with the state of the connection, once")
  func report() throws {
    #expect(add())
    var watch = StallWatch()
    #expect(reports(&watch, seconds: 1...5) == [])
    let report = try #require(reports(&watch, seconds: 6...6).first)
    for part in ["meals/add has no answer", "executor: owner 0", "meals/add committing", "durable 0", "turns: 4 free"] {
      #expect(report.contains(part), "\(report)")
    }
    #expect(reports(&watch, seconds: 7...30) == [])
  }

  @Test("Requests that are answered, that work, or that wait for the tester or another process are not reported")
  func explained() {
    var watch = StallWatch()
    #expect(add("debug/work"))
    #expect(reports(&watch, seconds: 1...20) == [])
    service.traffic.remove(id)
    #expect(add())
    #expect(reports(&watch, seconds: 21...40, busy: second / 10) == [])
    #expect(reports(&watch, seconds: 41...44) == [])
    service.traffic.remove(id)
    #expect(add())
    #expect(reports(&watch, seconds: 45...47) == [], "another one with its id")
    service.traffic.requeue(UnsafeRawBufferPointer(start: nil, count: 0), nil, at: Instant(milliseconds: 0))
    #expect(reports(&watch, seconds: 48...60) == [])
  }

  @Test("A request whose thread is stuck on the session's executor is reported, too")
  func executing() {
    var watch = StallWatch()
    #expect(service.executor.borrow())
    #expect(reports(&watch, seconds: 1...6).count == 1)
    service.executor.release()
  }
}
