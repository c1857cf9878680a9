import DaybookProtocol
import Testing
import Training

@Suite("Energy of sessions")
struct SessionEnergyTests {
  @Test("An hour of weights at 80 kg takes 2.5 times rest, hard sets 5 times")
  func strength() {
    func kcal(_ rpe: String?) -> Int? {
      let sets = (1...12).map { done($0, lifted("60", 8, rpe: rpe)) }
      return SessionEnergy.kcal(of: session(1, day: day(0), [exercise("Row", sets)]), weight: 80)
    }
    #expect(kcal(nil) == 200 && kcal("9") == 400)
  }

  @Test("A session left open burns no more than its sets can take")
  func forgotten() {
    let one = exercise("Row", [done(1, lifted("60", 8))])
    let long = SessionEnergy.kcal(of: session(1, day: day(0), [one], seconds: 36_000), weight: 80)
    #expect(long == SessionEnergy.kcal(of: session(1, day: day(0), [one], seconds: 300), weight: 80))
  }

  @Test(
    "The energy of a run follows from its speed, in any unit", arguments: [("10", DistanceUnit.km), ("6.21371", .mi)])
  func run(distance: String, unit: DistanceUnit) {
    // 166.67 m a minute: 0.2 × 166.67 ÷ 3.5 times rest, an hour, 70 kg.
    let run = exercise(
      "Treadmill Run", [done(1, SetValues(seconds: 3600, distance: number(distance), distanceUnit: unit))],
      kind: .cardio)
    #expect(SessionEnergy.kcal(of: session(1, day: day(0), [run]), weight: 70) == 667)
  }

  @Test("Sets that were not done burn nothing")
  func nothing() {
    var set = done(1, lifted("60", 8))
    set.done = nil
    #expect(SessionEnergy.kcal(of: session(1, day: day(0), [exercise("Row", [set])]), weight: 80) == nil)
    var skipped = session(1, day: day(0), [exercise("Row", [done(1, lifted("60", 8))])])
    skipped.modules[0].skipped = true
    #expect(SessionEnergy.kcal(of: skipped, weight: 80) == nil)
  }
}
