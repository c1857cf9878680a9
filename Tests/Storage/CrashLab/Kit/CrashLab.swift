import FileStoreTesting
import Platform

/// Tries cases one after the other until a number of crash points is reached or enough violations were found.
package struct CrashLab: Sendable {
  /// A row of the summary.
  package struct Row: Sendable {
    package var kind: LabKind
    package var profile: CrashProfile
    package var points = 0
    package var seeds = 0
    package var violations = 0
  }

  /// A case with a violation.
  package struct Failure: Sendable {
    package var trial: LabCase
    package var violation: Violation
    /// The shortest history found that shows the violation.
    package var history: LabHistory
  }

  /// The result of a run.
  package struct Summary: Sendable {
    package var rows: [Row] = []
    package var failures: [Failure] = []

    package var points: Int { rows.reduce(0) { $0 + $1.points } }
  }

  private struct Progress: Sendable {
    var points = 0
    /// The number of cases begun for each row.
    var begun: [Int]
    var summary = Summary()

    /// The next case's row: each row once, then always the one with the fewest points, so that all get their share.
    mutating func next() -> (row: Int, seed: UInt64) {
      var next = 0
      for row in begun.indices
      where weight(row) < weight(next) { next = row }
      begun[next] += 1
      return (next, UInt64(truncatingIfNeeded: begun[next] - 1))
    }

    /// The work done for a row.
    private func weight(_ row: Int) -> Int {
      begun[row] == 0 ? -1 : summary.rows[row].points * summary.rows[row].kind.cost
    }
  }

  package let driver: any StoreDriver
  /// The number of crash points to reach.
  package let budget: Int
  /// The kinds to try, as far as the store supports them.
  package let kinds: [LabKind]
  /// The number of violations after which the run ends.
  private let failureLimit: Int
  private let workers: Int

  package init(
    _ driver: any StoreDriver, budget: Int, kinds: [LabKind] = LabKind.allCases, failureLimit: Int = 1, workers: Int = 2
  ) {
    self.failureLimit = failureLimit
    self.driver = driver
    self.budget = budget
    self.kinds = kinds
    self.workers = max(1, workers)
  }

  /// The rows to try; damage does not depend on a profile.
  private var combinations: [(kind: LabKind, profile: CrashProfile)] {
    kinds.filter { $0.verbs.allSatisfy(driver.verbs.contains) }.flatMap { kind in
      (kind == .mutation ? [.ordered] : CrashProfile.allCases).map { (kind, $0) }
    }
  }

  /// Runs until the points are reached or too many violations were found.
  package func run() -> Summary {
    let combinations = combinations
    var start = Progress(begun: Array(repeating: 0, count: combinations.count))
    start.summary.rows = combinations.map { Row(kind: $0.kind, profile: $0.profile) }
    let progress = Shared(start)
    let ends = (0..<workers).map { _ in Parker() }
    for end in ends {
      let isStarted = Threads.start(stackSize: 8 << 20) { [self] in
        work(progress, combinations)
        end.unpark()
      }
      if !isStarted { end.unpark() }
    }
    for end in ends { end.park() }
    return progress.value.withLock { $0.summary }
  }

  /// The mutex that the workers share; on its own it cannot be moved into a closure.
  private final class Shared: Sendable {
    let value: Guarded<Progress>
    init(_ value: Progress) { self.value = Guarded(value) }
  }

  private func work(_ progress: Shared, _ combinations: [(kind: LabKind, profile: CrashProfile)]) {
    while true {
      let next = progress.value.withLock { progress -> (row: Int, seed: UInt64)? in
        guard progress.points < budget, progress.summary.failures.count < failureLimit else { return nil }
        return progress.next()
      }
      guard let (row, seed) = next else { return }
      let trial = LabCase(combinations[row].kind, combinations[row].profile, seed: seed)
      let outcome = trial.run(driver)
      progress.value.withLock { progress in
        progress.points += outcome.points
        progress.summary.rows[row].points += outcome.points
        progress.summary.rows[row].seeds += 1
        if outcome.violation != nil { progress.summary.rows[row].violations += 1 }
      }
      guard let violation = outcome.violation else { continue }
      var shrinker = LabShrinker(driver: driver, trial: trial)
      let (history, shown) = shrinker.shrink(trial.history(driver), violation)
      progress.value.withLock {
        $0.summary.failures.append(Failure(trial: trial, violation: shown, history: history))
      }
    }
  }
}

extension CrashLab.Summary: CustomStringConvertible {
  package var description: String {
    func column(_ text: String, _ width: Int, right: Bool = false) -> String {
      let padding = String(repeating: " ", count: max(0, width - text.count))
      return right ? padding + text : text + padding
    }
    func line(_ cells: [String]) -> String {
      column(cells[0], 12) + column(cells[1], 10)
        + cells[2...].map { column($0, 12, right: true) }.joined()
    }
    var lines = [line(["kind", "profile", "points", "seeds", "violations"])]
    for row in rows {
      let profile = row.kind == .mutation ? "—" : row.profile.rawValue
      lines.append(
        line([row.kind.rawValue, profile, String(row.points), String(row.seeds), String(row.violations)]))
    }
    let seeds = rows.reduce(0) { $0 + $1.seeds }
    lines.append(line(["all", "", String(points), String(seeds), String(rows.reduce(0) { $0 + $1.violations })]))
    return (lines + failures.map(\.description)).joined(separator: "\n")
  }
}

extension CrashLab.Failure: CustomStringConvertible {
  package var description: String {
    """
    \(violation)
      shortest history, journals of \(history.settings.journalSizeLimit) bytes:
    \(history.steps.map { "    \($0)" }.joined(separator: "\n"))
      again with: crash-lab --kind \(trial.kind) --profile \(trial.profile) --seed \(trial.seed)
    """
  }
}
