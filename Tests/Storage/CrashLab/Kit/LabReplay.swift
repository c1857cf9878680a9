import FileStoreTesting

/// Replays one case and describes each step.
package struct LabReplay {
  private let driver: any StoreDriver
  private let trial: LabCase

  package init(_ driver: any StoreDriver, _ trial: LabCase) {
    self.driver = driver
    self.trial = trial
  }

  /// Describes the replay, and returns whether it found no violation.
  package func run(_ tell: @escaping (String) -> Void) -> Bool {
    var history = trial.history(driver)
    let outcome = trial.run(driver, history)
    if let violation = outcome.violation {
      tell("As the seed makes it: \(violation)")
      var shrinker = LabShrinker(driver: driver, trial: trial)
      let (shortest, shown) = shrinker.shrink(history, violation)
      tell(CrashLab.Failure(trial: trial, violation: shown, history: shortest).description)
      history = shortest
    } else {
      tell("\(outcome.points) crash points, nothing wrong")
    }
    tell("The calls of its history, which a sweep lets end before each change:")
    let disk = SimulatedDisk()
    let world = LabWorld(driver, history, profile: trial.profile, disk: disk)
    var told = 0
    // A power cut makes another disk, whose calls are described from the beginning.
    func tellCalls(_ disk: SimulatedDisk) {
      let trace = disk.trace
      if trace.count < told { told = 0 }
      for (index, call) in trace.enumerated().dropFirst(told) { tell("    \(index) \(call)") }
      told = trace.count
    }
    world.onStep = { [weak world] index, step in
      if let world { tellCalls(world.disk) }
      tell("  step \(index): \(step)")
    }
    do throws(Violation) { try world.play() } catch { tell("  \(error)") }
    tellCalls(world.disk)
    return outcome.violation == nil
  }
}
