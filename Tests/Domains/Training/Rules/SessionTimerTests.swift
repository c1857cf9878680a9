import DaybookProtocol
import FileStoreTesting
import Testing

@testable import Training

@Suite("Timers of the running session")
struct SessionTimerTests {
  private func timer(_ seconds: Int?) -> SessionTimer {
    SessionTimer(id: EntityID(high: 0, low: 1), kind: .rest, startedAt: noon, seconds: seconds)
  }

  private func after(_ milliseconds: Int64) -> Instant { noon.advanced(by: milliseconds) }

  @Test(
    "The remaining time is rounded up and not negative; a clock set back leaves all of it",
    arguments: [(0, 90), (999, 90), (1000, 89), (89_999, 1), (90_000, 0), (500_000, 0), (-5_000, 90)])
  func remaining(milliseconds: Int, expected: Int) {
    let reading = timer(90).reading(after(Int64(milliseconds)))
    #expect(reading.remainingSeconds == expected)
    #expect(reading.running == (expected > 0))
  }

  @Test("A pause takes no time, and a timer that counts up never ends")
  func pauses() {
    var timer = timer(90)
    timer.pause(after(30_000))
    #expect(timer.endsAt == nil)
    #expect(timer.reading(after(600_000)).remainingSeconds == 60)
    timer.resume(after(600_000))
    #expect(timer.reading(after(610_000)).remainingSeconds == 50)
    #expect(timer.endsAt == after(660_000))
    let up = self.timer(nil)
    #expect(up.reading(after(3_600_000)).elapsedSeconds == 3600)
    #expect(!up.isOver(after(3_600_000)) && up.endsAt == nil)
  }

  /// Ten seconds to get ready, then 20 of work and 10 of break, three times.
  private var interval: SessionTimer {
    SessionTimer(
      id: EntityID(high: 0, low: 1), kind: .interval, startedAt: noon,
      seconds: SessionTimer.intervalSeconds(rounds: 3, work: 20, pause: 10), rounds: 3, workSeconds: 20,
      breakSeconds: 10)
  }

  @Test(
    "The phases of an interval",
    arguments: [
      (0, IntervalPhase.getReady, 0, 10), (9, .getReady, 0, 1), (10, .work, 1, 20), (29, .work, 1, 1),
      (30, .rest, 1, 10),
      (40, .work, 2, 20), (70, .work, 3, 20), (89, .work, 3, 1), (90, .complete, 3, 0), (500, .complete, 3, 0),
    ])
  func phases(second: Int, phase: IntervalPhase, round: Int, left: Int) {
    let reading = interval.reading(after(Int64(second) * 1000))
    #expect(reading.phase == phase && reading.round == round && reading.phaseRemainingSeconds == left)
  }

  @Test("Skipping goes through the phases one by one, also while paused, until the end")
  func skips() {
    var timer = interval
    timer.pause(after(3000))
    let now = after(77_000)
    var phases: [String] = []
    while let next = timer.skipped(now) {
      timer = next
      let reading = timer.reading(now)
      phases.append("\(reading.phase?.rawValue ?? "") \(reading.round ?? -1)")
    }
    #expect(phases == ["work 1", "rest 1", "work 2", "rest 2", "work 3"])
  }

  @Test("Every second belongs to one phase, for any rounds", arguments: 0..<30)
  func continuous(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let (rounds, work, pause) = (random.below(6) + 1, random.below(40) + 1, random.below(20))
    var timer = interval
    (timer.rounds, timer.workSeconds, timer.breakSeconds) = (rounds, work, pause)
    timer.seconds = SessionTimer.intervalSeconds(rounds: rounds, work: work, pause: pause)
    var worked: [Int: Int] = [:]
    for second in 0..<(timer.seconds ?? 0) {
      let reading = timer.reading(after(Int64(second) * 1000))
      #expect(reading.phaseRemainingSeconds ?? 0 > 0)
      if reading.phase == .work { worked[reading.round ?? 0, default: 0] += 1 }
    }
    #expect(worked == Dictionary(uniqueKeysWithValues: (1...rounds).map { ($0, work) }))
  }
}
