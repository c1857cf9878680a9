import FileStoreTesting

/// One thing to try, which a seed decides: a history, and all that is done with it.
package struct LabCase: Sendable {
  package var kind: LabKind
  package var profile: CrashProfile
  package var seed: UInt64
  /// How many ways of surviving are drawn for each crash.
  package var draws = 6

  package init(_ kind: LabKind, _ profile: CrashProfile, seed: UInt64) {
    self.kind = kind
    self.profile = profile
    self.seed = seed
  }

  /// How a case ended.
  package struct Outcome: Sendable {
    /// Crashes with one complete recovery and check each.
    package var points = 0
    package var violation: Violation?
  }

  /// The history that the seed makes.
  package func history(_ driver: any StoreDriver) -> LabHistory {
    let verbs = driver.verbs.filter { kind == .run || kind == .processes || kind.verbs.contains($0) }
    let processes = kind == .processes || kind == .run ? 1 + Int(seed % 3) : 1
    var maker = HistoryMaker(seed: seed, processes: processes, verbs: verbs)
    switch kind {
    case .append, .checkpoint, .backup, .restore: return maker.script(commits: 1 + Int(seed % 5))
    case .recovery: return maker.script(commits: 1 + Int(seed % 3))
    case .faults: return maker.script(commits: 2 + Int(seed % 4), withFaults: true)
    case .processes: return maker.run(steps: 12, withPowerCuts: false, withFaults: false)
    case .run: return maker.run(steps: 60, withPowerCuts: true, withFaults: seed % 2 == 1)
    case .mutation: return maker.script(commits: 3 + Int(seed / 17 % 3), longest: 40)
    }
  }

  /// Tries the history that the seed makes.
  package func run(_ driver: any StoreDriver) -> Outcome { run(driver, history(driver)) }

  /// Tries a history.
  package func run(_ driver: any StoreDriver, _ history: LabHistory) -> Outcome {
    var outcome = Outcome()
    do throws(Violation) {
      switch kind {
      case .run:
        let world = LabWorld(driver, history, profile: profile)
        defer { outcome.points = world.points }
        try world.play()
      case .mutation: try mutate(driver, history, &outcome.points)
      case .recovery: try sweep(driver, history, levels: 2, &outcome.points)
      default: try sweep(driver, history, levels: 1, &outcome.points)
      }
    } catch { outcome.violation = error }
    return outcome
  }

  /// Plays a history once, and lets the power go off before each of its changes.
  private func sweep(
    _ driver: any StoreDriver, _ history: LabHistory, levels: Int, _ points: inout Int
  ) throws(Violation) {
    let disk = LabWorld.emptyDisk()
    disk.startRecording()
    let world = LabWorld(driver, history, profile: profile, disk: disk)
    try world.play()
    try crash(driver, history, world, levels: levels, "", &points)
  }

  private func crash(
    _ driver: any StoreDriver, _ history: LabHistory, _ world: LabWorld, levels: Int, _ prefix: String,
    _ points: inout Int
  ) throws(Violation) {
    let check = RecoveryCheck(driver, settings: history.settings, profile: profile)
    for (index, moment) in world.disk.moments().enumerated() {
      let known = world.model.at(moment.mark)
      // Of the second level one way each is enough, as there are so many.
      for draw in 0..<(prefix.isEmpty ? draws : 1) {
        let seed = seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: index * 64 + draw)
        let place = prefix + "power cut before change \(index) (call \(moment.calls)), survival \(seed)"
        do throws(Violation) {
          points += 1
          let disk = moment.afterCrash(.drawn(profile, seed: seed))
          var settled = known
          settled.settle(
            try check(disk, known, failedSyncs: moment.failedSyncs, isRepeated: seed % 4 == 0))
          if levels > 1 {
            let second = LabCase.again(history.settings)
            disk.startRecording()
            let world = LabWorld(driver, second, profile: profile, disk: disk)
            try world.play(startingWith: settled)
            try crash(driver, second, world, levels: levels - 1, place + ", then ", &points)
          }
        } catch { throw error.at(place) }
      }
    }
  }

  /// What is done after a crash: the first write.
  private static func again(_ settings: LabSettings) -> LabHistory {
    var settings = settings
    settings.seed = ~settings.seed
    let change = LabChange(key: LabKey(collection: 0, record: 0), day: 20_000, padding: 3)
    let steps = [LabStep(0, .open), LabStep(0, .commit([change])), LabStep(0, .close)]
    return LabHistory(settings: settings, steps: steps)
  }
}
