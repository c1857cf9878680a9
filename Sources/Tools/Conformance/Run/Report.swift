import Spawning

/// A verdict in words.
package struct Report {
  /// The verdict.
  let verdict: Verdict
  /// Whether everything is told, not only what is wrong.
  let isVerbose: Bool

  /// A report on a verdict.
  package init(_ verdict: Verdict, isVerbose: Bool = false) {
    self.verdict = verdict
    self.isVerbose = isVerbose
  }

  /// All lines: failures, the baseline, coverage, and the closing line.
  package var lines: [String] {
    var lines = verdict.failed.flatMap { Report.lines($0) }
    for outcome in verdict.knownToFail { lines += ["known to fail: \(outcome.item.name)"] }
    for text in verdict.stale { lines += ["FAILED baseline: \(text)"] }
    if verdict.isWhole { lines += coverage }
    return lines + ["\(verdict.passed) passed, \(verdict.failures) failed"]
  }

  /// The failures of a case. Runs that failed alike are told once.
  package static func lines(_ outcome: Outcome) -> [String] {
    var groups: [(failure: PlayFailure, runs: [String])] = []
    for failed in outcome.failures {
      let run = "\(failed.framing.rawValue), \(failed.variant.rawValue)"
      if let index = groups.firstIndex(where: { isAlike($0.failure, failed.failure) }) {
        groups[index].runs.append(run)
      } else {
        groups.append((failed.failure, [run]))
      }
    }
    return groups.flatMap { group -> [String] in
      let place = group.failure.line > 0 ? "\(outcome.item.file):\(group.failure.line)" : outcome.item.file
      let title = outcome.item.name.hasPrefix("example ") ? " \(outcome.item.name)" : ""
      let runs =
        outcome.runs > 1 && group.runs.count == outcome.runs
        ? "all \(outcome.runs) runs" : group.runs.joined(separator: "; ")
      var lines = ["FAILED \(place):\(title) [\(runs)]", "  \(group.failure.reason)"]
      if let expected = group.failure.expected { lines += block("expected", expected) }
      if let found = group.failure.found { lines += block("got", found) }
      if !group.failure.complaint.isEmpty { lines += block("stderr", group.failure.complaint) }
      return lines + [""]
    }
  }

  /// Whether two runs failed in the same way.
  private static func isAlike(_ left: PlayFailure, _ right: PlayFailure) -> Bool {
    left.line == right.line && left.reason == right.reason
  }

  /// A text under a title, its further lines set in.
  private static func block(_ title: String, _ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let margin = String(repeating: " ", count: max(1, 10 - title.count))
    return lines.enumerated().map {
      $0 == 0 ? "  \(title):\(margin)\($1.prefix(3000))" : "             \($1.prefix(3000))"
    }
  }

  /// The coverage table.
  private var coverage: [String] {
    let all = Coverage.items(verdict.demand.schema, requirements: verdict.demand.requirements)
    var lines = ["coverage of \(verdict.coverage.builds.sorted().joined(separator: " and ")):"]
    for kind in CoverageItem.Kind.allCases {
      let items = all.filter { $0.kind == kind }
      let covered = items.filter { verdict.coverage.counts[$0] != nil }.count
      let excused = items.filter { verdict.coverage.counts[$0] == nil && verdict.demand.isExcused($0) }.count
      let title = "\(kind.rawValue)s"
      let more = excused > 0 ? ", \(excused) not demanded here" : ""
      lines.append("  \(title)\(String(repeating: " ", count: 15 - title.count))\(covered) of \(items.count)\(more)")
      guard isVerbose else { continue }
      for item in items {
        let count = verdict.coverage.counts[item].map { "\($0)" } ?? (verdict.demand.isExcused(item) ? "–" : "0")
        lines.append("    \(String(repeating: " ", count: max(0, 6 - count.count)))\(count)  \(item.name)")
      }
    }
    return lines + verdict.uncovered.map { "FAILED coverage: no case that passed reaches \($0)" }
  }
}
