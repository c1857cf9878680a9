import FileStoreTesting

/// One case, determined by a seed: a history and everything done with it.
package struct LabCase: Sendable {
  package var kind: LabKind
  package var profile: CrashProfile
  package var seed: UInt64
  /// The number of survivals drawn for each crash.
  package var draws = 6
  /// The number of processes, if the seed does not decide it.
  package var processes: Int?
  /// For a mutation, selects the bytes whose index has this remainder; nil for all.
  package var part: (remainder: Int, count: Int)?

  package init(_ kind: LabKind, _ profile: CrashProfile, seed: UInt64) {
    self.kind = kind
    self.profile = profile
    self.seed = seed
    // One mutation for each of the first seeds, then the next part, then another history.
    let ways = FileMutator.ways
    part = (Int(seed / ways % LabCase.parts), Int(LabCase.parts))
  }

  /// The number of parts in which the bytes of a store are tried.
  private static let parts: UInt64 = 32

  /// The outcome of a case.
  package struct Outcome: Sendable {
    /// Crashes followed by a complete recovery and check.
    package var points = 0
    package var violation: Violation?
  }

  /// The history made from the seed.
  package func history(_ driver: any StoreDriver) -> LabHistory {
    let isMixed = [.faults, .run, .processes].contains(kind)
    // A backup is much work, so it has its own kind, and a place in long runs.
    let verbs = driver.verbs.filter { isMixed && ($0 != .backup || kind == .run) || kind.verbs.contains($0) }
    let small = Int(seed % 7)
    var processes = 1
    if kind == .processes || kind == .run { processes = 2 + small % 3 }
    if kind == .proof { processes = 2 }
    if kind == .checkpoint || kind == .kill { processes = 1 + small % 2 }
    var maker = HistoryMaker(seed: seed, processes: self.processes ?? processes, verbs: verbs)
    switch kind {
    case .append, .backup, .restore: return maker.script(commits: 1 + small % 5)
    case .checkpoint: return maker.checkpoints(rounds: 1 + small % 4)
    case .kill: return maker.checkpoints(rounds: 1 + small % 3)
    case .recovery: return maker.checkpoints(rounds: small % 3)
    case .faults: return maker.script(commits: 2 + small % 4, withFaults: true)
    case .proof: return maker.proofs(rounds: 1 + small % 3)
    case .processes: return maker.run(steps: 14, withPowerCuts: false, withFaults: false)
    case .run: return maker.run(steps: 70, withPowerCuts: true, withFaults: seed % 2 == 1)
    case .mutation:
      maker = HistoryMaker(seed: seed / FileMutator.ways / LabCase.parts, processes: 1, verbs: verbs)
      return maker.generations(4)
    }
  }

  /// Tries the seed's history.
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
      case .kill: try kill(driver, history, &outcome.points)
      case .recovery: try sweep(driver, history, levels: 2, &outcome.points)
      default: try sweep(driver, history, levels: 1, &outcome.points)
      }
    } catch { outcome.violation = error }
    return outcome
  }

  /// Plays a history once, and cuts the power before each of its changes.
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
    for (index, moment) in world.disk.moments().enumerated() {
      let known = world.model.at(moment.mark)
      // There are so many second-level crashes that one survival each is enough; with two levels, the same holds for
      // the first.
      for draw in 0..<(prefix.isEmpty && levels == 1 ? draws : 1) {
        let seed = seed &* 1_000_003 &+ UInt64(truncatingIfNeeded: index * 64 + draw)
        let place = prefix + "power cut before change \(index) (call \(moment.calls)), survival \(seed)"
        do throws(Violation) {
          points += 1
          let disk = moment.afterCrash(.drawn(profile, seed: seed))
          var check = RecoveryCheck(driver, settings: history.settings, profile: profile)
          check.hasLossOnRecord = world.hasLossOnRecord
          let revisions = try check(disk, known, failedSyncs: moment.failedSyncs, isRepeated: seed % 4 == 0)
          guard levels > 1 else { continue }
          var settled = known
          settled.settle(revisions)
          let second = LabCase.again(history.settings, isCheckpointing: driver.verbs.contains(.checkpoint))
          disk.startRecording()
          let world = LabWorld(driver, second, profile: profile, disk: disk)
          try world.play(startingWith: settled, hasLossOnRecord: check.hasLossOnRecord)
          try crash(driver, second, world, levels: levels - 1, place + ", then ", &points)
        } catch { throw error.at(place) }
      }
    }
  }

  /// The work after a crash: the first write, and a checkpoint.
  private static func again(_ settings: LabSettings, isCheckpointing: Bool) -> LabHistory {
    var settings = settings
    settings.seed = ~settings.seed
    let change = LabChange(key: LabKey(collection: 0, record: 0), day: 20_000, padding: 3)
    var steps = [LabStep(0, .open), LabStep(0, .commit([change]))]
    if isCheckpointing { steps.append(LabStep(0, .perform(.checkpoint))) }
    return LabHistory(settings: settings, steps: steps + [LabStep(0, .close)])
  }
}
