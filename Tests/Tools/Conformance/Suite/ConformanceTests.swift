import Foundation
import Pacing
import ProcessTesting
import ProtocolGenerator
import Spawning
import Testing

/// Tests the service against everything under `Protocol/`, and the runner itself.
@Suite(.processes)
struct ConformanceTests {
  /// Cases are sent unchanged; `.ci/run` also sends them byte by byte and in one write. The coverage is written to the
  /// file in `COVERAGE_OUT`, so that another build's run can be added.
  @Test("Every case and every example holds for daybook")
  func everything() async throws {
    let file = ProcessInfo.processInfo.environment["COVERAGE_OUT"]
    let run = try await Python.run(
      ["Protocol/conformance", "--variants", "plain"] + (file.map { ["--coverage-out", $0] } ?? [])
        + ["--", try Program.path()],
      // Thousands of processes, concurrently with other tests.
      patience: 60)
    for mistake in run.mistakes { Issue.record("\(mistake)") }
    let passed = run.lines.last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    #expect(run.status == .exited(0) || !run.mistakes.isEmpty, "\(run.status): \(run.error)")
    #expect(passed > 900)
  }

  @Test("The runner's own tests pass")
  func runner() async throws {
    let run = try await Python.run(["-m", "unittest", "discover", "-s", "Tests/Tools/Conformance"], patience: 10)
    #expect(run.status == .exited(0), "\(run.error)")
    #expect(!run.error.contains("skipped") && run.error.contains("\nOK"), "\(run.error)")
  }

  @Test("The runner judges every sample as it says")
  func samples() async throws {
    let folder = Program.repository + "/Protocol"
    var files: [String: [UInt8]] = [:]
    let domains = try FileManager.default.contentsOfDirectory(atPath: folder + "/domains").map { "domains/\($0)" }
    for path in ["protocol.json"] + domains.filter({ $0.hasSuffix(".json") }) {
      files[path] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(path)")))
    }
    let samples = try Sample.all(files: files)
    #expect(samples.count > 5000)
    let lines = samples.map { sample in
      [sample.type, sample.pointer ?? "-", sample.why ?? "-", String(decoding: sample.json, as: UTF8.self)]
        .joined(separator: "\t")
    }
    let run = try await Python.run(
      ["Tests/Tools/Conformance/judge_samples.py"], input: lines.joined(separator: "\n"))
    #expect(run.status == .exited(0), "\(run.output)\(run.error)")
    #expect(run.lines.last == "\(samples.count) judged")
  }
}
