import SyncRules
import Testing

@testable import DaybookServer

@Suite("When passes begin by themselves")
struct SyncScheduleTests {
  private var schedule = SyncSchedule()

  /// The seconds from a moment on in which passes begin, each of which ends at once.
  private mutating func passes(in seconds: ClosedRange<Int64>, writingUntil last: Int64? = nil) -> [Int64: PassTrigger]
  {
    var begun: [Int64: PassTrigger] = [:]
    for second in seconds {
      if let last, second <= last { schedule.wrote(at: second * 1000) }
      guard let trigger = schedule.due(at: second * 1000) else { continue }
      begun[second] = trigger
      schedule.begin()
      schedule.ended(at: second * 1000)
    }
    return begun
  }

  @Test("One begins at the start, then one every 300 seconds")
  mutating func ticks() {
    #expect(passes(in: 0...700) == [0: .start, 300: .tick, 600: .tick])
  }

  @Test("After a write one begins once it is quiet for 2 seconds, or 10 seconds after the first of many")
  mutating func writes() {
    #expect(passes(in: 0...0) == [0: .start])
    #expect(passes(in: 10...20, writingUntil: 10) == [12: .write])
    #expect(passes(in: 30...60, writingUntil: 44) == [40: .write, 46: .write])
  }
}
