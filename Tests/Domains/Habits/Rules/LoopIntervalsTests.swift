import Testing

@testable import Habits

@Suite("Intervals as Loop Habit Tracker infers them")
struct LoopIntervalsTests {
  @Test("Once in a week fills the week from the day on")
  func weekly() {
    #expect(LoopIntervals.covered(times: 1, days: 7, met: [10]) == [10..<17])
  }

  @Test("Too few days in a row of days fill nothing")
  func tooFew() {
    #expect(LoopIntervals.covered(times: 2, days: 7, met: [0, 7]).isEmpty)
  }
}
