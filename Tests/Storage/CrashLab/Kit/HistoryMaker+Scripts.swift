import FileStoreTesting

extension HistoryMaker {
  /// A script of one process for a sweep.
  mutating func script(commits: Int, withFaults: Bool = false, longest: Int = 1200) -> LabHistory {
    self.longest = longest
    var history = LabHistory(settings: settings())
    for _ in 0..<commits {
      if withFaults, generator.once(in: 2) {
        history.steps.append(LabStep(0, .faults(generator.once(in: 3) ? .none : faults())))
      }
      history.steps.append(LabStep(0, write()))
      if withFaults, generator.once(in: 3) { history.steps.append(LabStep(0, .retry)) }
      if !verbs.isEmpty, generator.once(in: 2) { history.steps.append(LabStep(0, .perform(verb()))) }
      if generator.once(in: 5) { history.steps.append(LabStep(0, .close)) }
    }
    history.steps.append(LabStep(0, .close))
    return history
  }

  /// One process is killed during a commit; another one answers based on what that left, while its calls fail.
  mutating func proofs(rounds: Int) -> LabHistory {
    longest = 40
    var history = LabHistory(settings: settings())
    history.steps.append(LabStep(0, write()))
    history.steps.append(LabStep(1, .open))
    for _ in 0..<rounds {
      history.steps.append(LabStep(0, .open))
      // Either its lines are in the journal without a sync, or it may be anywhere in its commit.
      let isUnsynced = generator.once(in: 2)
      if isUnsynced { history.steps.append(LabStep(0, .faults(.unsynced))) }
      history.steps.append(
        LabStep(0, .commit(changes()), .kill(afterCalls: isUnsynced ? 1000 : generator.below(24))))
      history.steps.append(LabStep(1, .perform(.poll)))
      history.steps.append(LabStep(1, .faults(syncFaults())))
      for _ in 0..<generator.among(1...3) {
        switch generator.below(3) {
        case 0: history.steps += [LabStep(1, .enter), LabStep(1, .leave)]
        default: history.steps.append(LabStep(1, .retry))
        }
      }
      history.steps.append(LabStep(1, .faults(.none)))
      history.steps.append(LabStep(1, generator.once(in: 2) ? .retry : write()))
    }
    history.steps += [LabStep(1, write()), LabStep(1, .close)]
    return history
  }

  /// Some commits and then a checkpoint: at once, or step by step with commits of this or another process in between.
  mutating func checkpoints(rounds: Int) -> LabHistory {
    longest = 60
    var history = LabHistory(settings: settings())
    for _ in 0..<rounds {
      for _ in 0..<generator.among(1...3) { history.steps.append(LabStep(0, write())) }
      if generator.once(in: 3) { history.steps.append(LabStep(0, .close)) }
      let checkpointer = generator.below(processes)
      if generator.once(in: 3) {
        history.steps.append(LabStep(checkpointer, .perform(.checkpoint)))
        continue
      }
      // One action begins it, six steps complete it.
      for _ in 0..<7 {
        history.steps.append(LabStep(checkpointer, .perform(.checkpointStep)))
        guard generator.once(in: 3) else { continue }
        let other = generator.below(processes)
        history.steps.append(LabStep(other, generator.once(in: 3) ? .perform(.poll) : write()))
      }
    }
    history.steps.append(LabStep(0, write()))
    history.steps.append(LabStep(0, .close))
    return history
  }

  /// Commits and checkpoints that leave older manifests, segments of several generations, older journals and a tail.
  mutating func generations(_ count: Int) -> LabHistory {
    longest = 10
    var history = LabHistory(settings: settings())
    history.settings.journalSizeLimit = 16 << 20
    for _ in 0..<count {
      for _ in 0..<generator.among(1...2) { history.steps.append(LabStep(0, .commit(changes()))) }
      history.steps.append(LabStep(0, .perform(.checkpoint)))
    }
    for _ in 0..<generator.among(1...2) { history.steps.append(LabStep(0, .commit(changes()))) }
    history.steps.append(LabStep(0, .close))
    return history
  }

  /// Any actions of several processes; power cuts only if wanted, as a sweep makes its own.
  mutating func run(steps: Int, withPowerCuts: Bool, withFaults: Bool) -> LabHistory {
    var history = LabHistory(settings: settings())
    for _ in 0..<steps {
      var step = LabStep(generator.below(processes), action(withFaults: withFaults))
      switch generator.below(12) {
      case 0, 1:
        // An open store commits with two calls, so the first few matter most.
        let (most, isLong) = (generator.once(in: 2) ? 4 : 24, generator.once(in: 3))
        step.interruption = .kill(afterCalls: generator.below(isLong ? 120 : most))
      case 2, 3, 4, 5:
        if withPowerCuts { step.interruption = .powerCut(afterCalls: generator.below(24), seed: generator.next()) }
      default: break
      }
      history.steps.append(step)
      if case .kill? = step.interruption, generator.once(in: 2) {
        history.steps.append(LabStep(generator.below(processes), .retry))
      }
    }
    return history
  }

  private mutating func action(withFaults: Bool) -> LabAction {
    switch generator.below(40) {
    case 0: return .open
    case 1, 2, 3: return .close
    case 4, 5: return .retry
    case 6: return .look
    case 7, 8, 9: return withFaults ? .faults(generator.once(in: 2) ? .none : faults()) : write()
    case 10, 11: return .undo(generator.below(generator.once(in: 3) ? 20 : 4))
    case 12, 13: return .changes(generator.below(generator.once(in: 3) ? 40 : 6))
    case 14: return .enter
    case 15, 16: return .leave
    case 17, 18: return .hold
    case 19: return .compare
    case 20...28: return verbs.isEmpty ? write() : .perform(verb())
    default: return write()
    }
  }

  /// A commit, sometimes of several transactions together.
  private mutating func write() -> LabAction {
    guard generator.once(in: 6) else { return .commit(changes()) }
    return .commitTogether((0..<generator.among(2...3)).map { _ in changes() })
  }

  private mutating func verb() -> LabVerb { verbs[generator.below(verbs.count)] }
}
