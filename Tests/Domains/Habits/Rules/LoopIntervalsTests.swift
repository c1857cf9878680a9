import FileStoreTesting
import Pacing
import Testing

@testable import Habits

@Suite("Intervals as Loop Habit Tracker infers them")
struct LoopIntervalsTests {
  @Test("Once per week covers seven days from the success")
  func weekly() {
    #expect(LoopIntervals.covered(times: 1, days: 7, met: [10]) == [10..<17])
  }

  @Test("Too few successes cover nothing")
  func tooFew() {
    #expect(LoopIntervals.covered(times: 2, days: 7, met: [0, 7]).isEmpty)
  }

  @Test("An interval makes room for the next one, as far as its own days allow")
  func room() {
    #expect(LoopIntervals.covered(times: 1, days: 7, met: [10, 13]) == [13..<20, 6..<13])
    #expect(LoopIntervals.covered(times: 2, days: 7, met: [10, 13, 14]) == [13..<20, 7..<13])
  }

  @Test("Once per day covers single days")
  func daily() {
    #expect(LoopIntervals.covered(times: 1, days: 1, met: [3, 4, 9]) == [9..<10, 4..<5, 3..<4])
  }

  @Test("Random intervals match a second implementation", arguments: 0..<Histories.steps(200))
  func byChance(seed: Int) {
    var source = SeededGenerator(seed: 17, number: seed)
    let days = source.among(1...30)
    let times = source.among(1...min(days, 8))
    let density = source.among(1...9)
    let marks = (0..<150).filter { _ in source.below(10) < density }
    let ranges = LoopIntervals.covered(times: times, days: days, met: marks)
    #expect(
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.lowerBound >= $1.upperBound } && !ranges.contains { $0.isEmpty })
    #expect(Set(ranges.joined()) == LoopReading.covered(times: times, days: days, marks: marks))
  }
}
