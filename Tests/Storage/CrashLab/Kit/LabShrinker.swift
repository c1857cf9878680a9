/// Shortens a history that shows a violation as far as possible.
struct LabShrinker {
  let driver: any StoreDriver
  let trial: LabCase
  /// How often the history may be tried.
  var patience = 400

  mutating func shrink(_ history: LabHistory, _ violation: Violation) -> (LabHistory, Violation) {
    var best = (history, violation)
    var isShorter = true
    while isShorter, patience > 0 {
      isShorter = false
      for candidate in candidates(best.0) where patience > 0 {
        patience -= 1
        guard let violation = trial.run(driver, candidate).violation, violation.invariant == best.1.invariant else {
          continue
        }
        best = (candidate, violation)
        isShorter = true
        break
      }
    }
    return best
  }

  /// The history without one of its halves or steps, an interruption or a change.
  private func candidates(_ history: LabHistory) -> [LabHistory] {
    var candidates: [LabHistory] = []
    let count = history.steps.count
    for length in [count / 2, count / 4, 1] where length > 0 {
      for start in stride(from: 0, to: count, by: length) {
        var shorter = history
        shorter.steps.removeSubrange(start..<min(count, start + length))
        candidates.append(shorter)
      }
    }
    for (index, step) in history.steps.enumerated() {
      if step.interruption != nil {
        var simpler = history
        simpler.steps[index].interruption = nil
        candidates.append(simpler)
      }
      if case .commit(let changes) = step.action, changes.count > 1 {
        var simpler = history
        simpler.steps[index].action = .commit([changes[0]])
        candidates.append(simpler)
      }
    }
    return candidates
  }
}
