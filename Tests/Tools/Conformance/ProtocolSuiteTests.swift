import Conformance
import Foundation
import JSON
import Pacing
import Testing

/// The service of this package against everything under `Protocol/`.
@Suite(.processes)
struct ProtocolSuiteTests {
  /// Cases are sent as they stand; `protocol-conformance` sends them byte by byte and in one write, too. The coverage goes into
  /// the file that `COVERAGE_OUT` names, for a run against another build to be added to.
  @Test("Every case and every example holds for daybook")
  func everything() throws {
    let program = try #require(
      Place.program("daybook"), "the program daybook was not built next to the tests: swift build --product daybook")
    let suite = try Suite(folder: Place.root + "/Protocol")
    #expect(suite.cases.count > 40)
    let launch = Launch(command: [program])
    let build = try Runner.detectBuild(launch, schema: suite.schema)
    let runner = Runner(suite: suite, launch: launch, build: build)
    var selection = Selection()
    selection.isPlainOnly = true
    let verdict = Verdict(runner.run(selection) { _, _, _, _ in }, runner, selection)
    if let file = ProcessInfo.processInfo.environment["COVERAGE_OUT"] {
      try Data(verdict.coverage.json.json).write(to: URL(fileURLWithPath: file))
    }
    for outcome in verdict.failed { Issue.record("\(Report.lines(outcome).joined(separator: "\n"))") }
    for text in verdict.stale { Issue.record("\(text)") }
    for item in verdict.uncovered { Issue.record("no case that passed reaches \(item)") }
  }
}
