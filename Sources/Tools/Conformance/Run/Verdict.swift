/// What a run amounts to: the outcomes, seen against the baseline and what has to be covered.
package struct Verdict: Sendable {
  /// Cases that passed, as they should.
  package private(set) var passed = 0
  /// Cases that failed, and are not known to.
  package private(set) var failed: [Outcome] = []
  /// Cases that failed, as is known.
  package private(set) var knownToFail: [Outcome] = []
  /// Names in the baseline that begin to pass, or belong to no case.
  package private(set) var stale: [String] = []
  /// What the union of all runs covered.
  package private(set) var coverage: Coverage
  /// What should have been covered.
  package private(set) var uncovered: [CoverageItem] = []
  /// Whether the whole suite was run, so that coverage counts.
  package let isWhole: Bool
  /// What is demanded.
  package let demand: Demand

  /// Judges outcomes; `earlier` is the coverage of a run before.
  package init(_ outcomes: [Outcome], _ runner: Runner, _ selection: Selection, earlier: Coverage? = nil) {
    let baseline = runner.suite.baseline
    coverage = Coverage(build: runner.build)
    for outcome in outcomes {
      let isKnown = baseline.cases.contains(outcome.item.name)
      if outcome.hasPassed {
        passed += 1
        coverage.add(outcome.seen, proves: outcome.item.proves)
        if isKnown { stale.append("\(outcome.item.name) passes now; take it out of baseline.txt") }
      } else if isKnown {
        knownToFail.append(outcome)
      } else {
        failed.append(outcome)
      }
    }
    isWhole = selection.only == nil
    if let earlier { coverage.formUnion(earlier) }
    // A case left out here may have been run before.
    let builds = coverage.builds
    let leftOut = runner.leftOut(selection).filter { $0.build == .any || !builds.contains($0.build.rawValue) }
    demand = Demand(suite: runner.suite, builds: builds, leftOut: leftOut)
    guard isWhole else { return }
    let names = Set(runner.suite.cases.map(\.name))
    stale += baseline.cases.subtracting(names).sorted().map { "\($0) is no case; take it out of baseline.txt" }
    let covered = baseline.items.intersection(coverage.counts.keys)
    stale += covered.map { "\($0) is covered now; take it out of baseline.txt" }.sorted()
    uncovered = demand.unmet(by: coverage)
  }

  /// How many things are wrong.
  package var failures: Int { failed.count + stale.count + uncovered.count }
}
