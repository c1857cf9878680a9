import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("The watch over requests that nobody answers")
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

  /// What is reported in so many seconds, in each of which the process uses so much of the processor.
  private func reports(_ watch: inout StallWatch, seconds: ClosedRange<UInt64>, busy: UInt64 = 0) -> [String] {
    seconds.compactMap { watch.check(service, now: $0 * second, processor: $0 * busy) }
  }

  @Test("A request without an answer is reported after five seconds, with all rooms, and once")
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

  @Test("Nothing is reported of what is answered, works, waits for the tester or for another process")
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

  @Test("A request on which a thread stands still that has the session is reported, too")
  func executing() {
    var watch = StallWatch()
    #expect(service.executor.borrow())
    #expect(reports(&watch, seconds: 1...6).count == 1)
    service.executor.release()
  }
}
