import JSON
import Spawning
import Synchronization

/// What of a suite is run, and how.
package struct Selection: Sendable {
  /// The framings.
  package var framings = WireFraming.allCases
  /// Whether every case is run as it stands only.
  package var isPlainOnly = false
  /// Only cases whose name contains this.
  package var only: String?
  /// So many at a time.
  package var jobs = 4

  /// Everything, four at a time.
  package init() {}

  /// Whether the name of a case is wanted.
  func wants(_ item: Case) -> Bool { only.map { Words.contains($0, in: Array(item.name.utf8)) } ?? true }
}

/// How a case went in all its runs.
package struct Outcome: Sendable {
  /// One run that failed.
  package struct Failed: Sendable {
    /// Its framing.
    package var framing: WireFraming
    /// Its way of writing.
    package var variant: SendVariant
    /// Why and where.
    package var failure: PlayFailure
  }

  /// The case.
  package var item: Case
  /// How often it was run.
  package var runs = 0
  /// The runs that failed, in order.
  package var failures: [Failed] = []
  /// What all its runs exercised.
  package var seen = Seen()

  /// Whether all runs passed.
  package var hasPassed: Bool { failures.isEmpty }
}

/// Runs the cases of a suite against a command.
package struct Runner: Sendable {
  /// The cases.
  package let suite: Suite
  /// How the service is started.
  package let launch: Launch
  /// The build of the service, `debug` or `release`.
  package let build: String

  /// A runner for a service whose build is known.
  package init(suite: Suite, launch: Launch, build: String) {
    self.suite = suite
    self.launch = launch
    self.build = build
  }

  /// Asks a service how it was built.
  package static func detectBuild(_ launch: Launch, schema: Schema) throws(PlayFailure) -> String {
    guard let folder = Files.temporaryFolder() else { throw PlayFailure("there is no room for temporary files") }
    defer { Files.remove(folder) }
    do throws(WireError) {
      let service = try launch.start(data: "\(folder)/data", framing: .newline)
      try service.write(WireFraming.newline.framed(#"{"jsonrpc":"2.0","id":1,"method":"server/info"}"#))
      guard let bytes = try service.next("the answer to server/info") else {
        let end = try service.waitForEnd()
        throw .system("it ended with \(end) before it answered server/info: \(Incoming.tail(service.complaints))")
      }
      if case .object(let answer) = try Incoming.value(bytes), case .object(let result)? = answer["result"],
        case .string(let build)? = result["build"]
      {
        return build
      }
      throw .unlawful("server/info was answered “\(String(decoding: bytes.prefix(500), as: UTF8.self))”")
    } catch { throw PlayFailure(error) }
  }

  /// The cases that are for this build and in a selection's framings.
  package func cases(_ selection: Selection) -> [Case] {
    suite.cases.filter { isRun($0, selection) && selection.wants($0) }
  }

  /// The cases that are for the other build, or in framings that were not selected.
  package func leftOut(_ selection: Selection) -> [Case] { suite.cases.filter { !isRun($0, selection) } }

  /// Whether a case is for this build and these framings.
  private func isRun(_ item: Case, _ selection: Selection) -> Bool {
    (item.build == .any || item.build.rawValue == build) && !item.framings(among: selection.framings).isEmpty
  }

  /// Runs the selected cases, each in its framings and ways of writing; `report` hears of each run, on any thread.
  package func run(
    _ selection: Selection, report: @escaping @Sendable (Case, WireFraming, SendVariant, PlayFailure?) -> Void
  ) -> [Outcome] {
    let cases = self.cases(selection)
    let runs = cases.indices.flatMap { index in
      cases[index].framings(among: selection.framings).flatMap { framing in
        cases[index].variants(plainOnly: selection.isPlainOnly).map { (index, framing, $0) }
      }
    }
    let results = Results(count: runs.count)
    Workers.run(count: runs.count, jobs: selection.jobs) { number in
      let (index, framing, variant) = runs[number]
      let result = self.result(cases[index], framing, variant)
      if case .failure(let failure) = result {
        report(cases[index], framing, variant, failure)
      } else {
        report(cases[index], framing, variant, nil)
      }
      results.set(number, result)
    }
    var outcomes = cases.map { Outcome(item: $0) }
    for (run, result) in zip(runs, results.all) {
      let (index, framing, variant) = run
      outcomes[index].runs += 1
      switch result {
      case .success(let seen): outcomes[index].seen.formUnion(seen)
      case .failure(let failure):
        outcomes[index].failures.append(Outcome.Failed(framing: framing, variant: variant, failure: failure))
      case nil:
        let failure = PlayFailure("the run did not take place")
        outcomes[index].failures.append(Outcome.Failed(framing: framing, variant: variant, failure: failure))
      }
    }
    return outcomes
  }

  /// How one run goes.
  private func result(_ item: Case, _ framing: WireFraming, _ variant: SendVariant) -> Result<Seen, PlayFailure> {
    do throws(PlayFailure) {
      return .success(try Play.run(item, framing, variant, suite: suite, launch: launch))
    } catch { return .failure(error) }
  }

  /// The results of all runs, gathered from several threads.
  private final class Results: Sendable {
    /// One for each run, once it is there.
    private let list: Mutex<[Result<Seen, PlayFailure>?]>

    /// No results yet.
    init(count: Int) { list = Mutex([Result<Seen, PlayFailure>?](repeating: nil, count: count)) }

    /// Notes one.
    func set(_ number: Int, _ result: Result<Seen, PlayFailure>) { list.withLock { $0[number] = result } }

    /// All of them.
    var all: [Result<Seen, PlayFailure>?] { list.withLock { $0 } }
  }
}
