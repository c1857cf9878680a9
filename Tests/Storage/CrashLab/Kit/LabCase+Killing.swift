import FileStoreTesting

extension LabCase {
  /// Plays a history repeatedly, each time with a process killed before another of its calls; the others continue, and
  /// at the end the power is cut.
  func kill(_ driver: any StoreDriver, _ history: LabHistory, _ points: inout Int) throws(Violation) {
    let calls = try callsOfSteps(driver, history)
    for index in history.steps.indices {
      for call in 0..<calls[index] {
        var killed = history
        killed.steps[index].interruption = .kill(afterCalls: call)
        killed.steps.insert(LabStep(history.steps[index].process, .retry), at: index + 1)
        do throws(Violation) {
          points += 1
          try end(driver, killed, number: index * 1000 + call)
        } catch { throw error.at("step \(index), \(history.steps[index]), killed before call \(call)") }
      }
    }
  }

  /// Plays a history to its end, cuts the power and recovers.
  private func end(_ driver: any StoreDriver, _ history: LabHistory, number: Int) throws(Violation) {
    let world = LabWorld(driver, history, profile: profile)
    try world.play()
    let seed = seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: number)
    var check = RecoveryCheck(driver, settings: history.settings, profile: profile)
    check.hasLossOnRecord = world.hasLossOnRecord
    let disk = world.disk.afterCrash(.drawn(profile, seed: seed))
    do throws(Violation) { _ = try check(disk, world.model, isRepeated: false) } catch {
      throw error.at("power cut at the end, survival \(seed)")
    }
  }

  /// The number of calls of each step.
  private func callsOfSteps(_ driver: any StoreDriver, _ history: LabHistory) throws(Violation) -> [Int] {
    let disk = LabWorld.emptyDisk()
    let world = LabWorld(driver, history, profile: profile, disk: disk)
    var starts: [Int] = []
    world.onStep = { _, _ in starts.append(disk.calls) }
    try world.play()
    starts.append(disk.calls)
    return history.steps.indices.map { starts[$0 + 1] - starts[$0] }
  }
}
