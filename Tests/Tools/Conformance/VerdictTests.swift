import Conformance
import JSON
import Pacing
import Spawning
import Testing

/// What a whole run comes to.
@Suite(.processes)
struct VerdictTests {
  /// A service that answers as the protocol says, but for what it is told.
  private static func rules(_ note: String = "Tea") -> String {
    let reply =
      #"{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"note\":{\"id\":\"11111111-1111-4111-8111-111111111111\",\"text\":\"\#(note)\"}}}"#
    return
      #"{"notes/add":["\#(reply)"],"server/info":["{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"build\":\"release\"}}"]}"#
  }

  /// The verdict on some cases, against a release build.
  private func verdict(
    _ cases: [Case], _ rules: String = rules(), requirements: [String] = [], baseline: Baseline = Baseline(),
    earlier: Coverage? = nil, only: String? = nil
  ) throws -> Verdict {
    let suite = Suite(schema: try Toy.schema(), cases: cases, requirements: requirements, baseline: baseline)
    let launch = Toy.launch(rules)
    let build = try Runner.detectBuild(launch, schema: suite.schema)
    let runner = Runner(suite: suite, launch: launch, build: build)
    var selection = Selection()
    selection.isPlainOnly = true
    selection.framings = [.newline]
    selection.only = only
    return Verdict(runner.run(selection) { _, _, _, _ in }, runner, selection, earlier: earlier)
  }

  /// A case that adds a note and expects its text.
  private func add(_ headers: String = "proves: A-1") throws -> Case {
    try Toy.read(
      """
      session: none
      \(headers)
      >> {"jsonrpc":"2.0","id":1,"method":"notes/add","params":{"text":"Tea"}}
      << {"jsonrpc":"2.0","id":1,"result":{"note":{"id":"$uuid","text":"Tea"}}}
      """)
  }

  @Test("Names that no case reaches fail the run, each by its kind")
  func uncovered() throws {
    let verdict = try verdict([try add()], requirements: ["A-1", "A-2"])
    let names = verdict.uncovered.map(\.description)
    #expect(names.contains("requirement A-2") && names.contains("error full") && names.contains("method initialize"))
    #expect(names.contains("type Level") && names.contains("notification changed"))
    #expect(!names.contains("requirement A-1") && !names.contains("method notes/add") && !names.contains("type Note"))
    #expect(verdict.passed == 1 && verdict.failed.isEmpty && verdict.failures == names.count)
    #expect(Report(verdict).lines.last == "1 passed, \(names.count) failed")
    #expect(try self.verdict([try add()], only: "toy").failures == 0)
  }

  @Test("Without a debug run, what that alone can cover is not demanded; with one, it is")
  func builds() throws {
    let debug = try add("proves: A-2\nbuild: debug")
    let alone = try verdict([try add(), debug], requirements: ["A-1", "A-2"]).uncovered.map(\.description)
    #expect(!alone.contains("requirement A-2") && !alone.contains("method debug/fail"))
    let earlier = Coverage(build: "debug")
    let both = try verdict([try add(), debug], requirements: ["A-1", "A-2"], earlier: earlier).uncovered.map(
      \.description)
    #expect(both.contains("requirement A-2") && both.contains("method debug/fail"))
  }

  @Test("A coverage file gives back what was written")
  func files() throws {
    let coverage = try verdict([try add()]).coverage
    let folder = try #require(Files.temporaryFolder())
    defer { Files.remove(folder) }
    #expect(Files.write(coverage.json.json, to: folder + "/c.json"))
    #expect(try Coverage(file: folder + "/c.json") == coverage)
    #expect(coverage.builds == ["release"])
    #expect(throws: CaseError.self) { try Coverage(file: folder + "/none.json") }
  }

  @Test("A case that fails is told with its place, what was expected and what came")
  func report() throws {
    let verdict = try verdict([try add()], Self.rules("Mud"), only: "toy")
    #expect(verdict.passed == 0 && verdict.failures == 1)
    let text = Report(verdict).lines.joined(separator: "\n")
    for words in [
      "FAILED toy.rpc:5: [newline, as is]", #"at /result/note/text: expected "Tea", found "Mud""#, "expected:  <<",
      "got:", "0 passed, 1 failed",
    ] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test("A known failure is no failure, and one that begins to pass is one")
  func baseline() throws {
    var baseline = Baseline()
    baseline.cases = ["toy.rpc"]
    let known = try verdict([try add()], Self.rules("Mud"), baseline: baseline, only: "toy")
    #expect(known.failures == 0 && known.knownToFail.count == 1)
    #expect(try verdict([try add()], baseline: baseline, only: "toy").failures == 1)
    baseline.cases = []
    baseline.items = [CoverageItem(kind: .error, name: "full")]
    #expect(try !verdict([try add()], baseline: baseline).uncovered.contains(CoverageItem(kind: .error, name: "full")))
    baseline.items = [CoverageItem(kind: .method, name: "notes/add")]
    #expect(
      try verdict([try add()], baseline: baseline).stale == [
        "method notes/add is covered now; take it out of baseline.txt"
      ])
  }
}
