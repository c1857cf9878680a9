import Foundation
import JSON
import Pacing
import ProcessTesting
import Testing

@Suite("While heavy work runs", .processes)
struct StallTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// The requests in flight behind the heavy one at its start.
  private static let behind = 20

  @Test("The session answers others before it, again and again, with every kind of work")
  func others() async throws {
    let daybook = try await Daybook.serve(folder.data)
    let away: [(name: String, method: String, params: String)] = [
      ("import", "data/import", #"{"mode":"merge","lines":[\#(Meals.lines(0..<6000))]}"#),
      ("food index", "foods/search", #"{"query":"soup"}"#), ("scrubbing", "store/health", #"{"scrub":true}"#),
      ("export", "data/export", #"{"path":"\#(folder.path)/export.jsonl"}"#), ("backup", "backup/create", "{}"),
      ("small import", "data/import", #"{"mode":"merge","lines":[\#(Meals.lines(6000..<7000))]}"#),
      ("undo of an import", "changes/undo", "{}"),
    ]
    for work in away {
      let (before, worst) = try await run(work.method, work.params, daybook)
      #expect(before >= StallTests.behind, "\(work.name): the session was kept from answering")
      report(work.name, worst)
    }
    // Work on the session itself is answered in order, so only its time can be checked.
    for (name, method, params) in [
      ("streaks", "streaks/get", "{}"),
      ("series of everything", "days/series", #"{"bucket":"month"}"#),
    ] {
      let (before, worst) = try await run(method, params, daybook)
      #expect(before == 0, "\(name): it was overtaken")
      report(name, worst)
    }
  }

  /// Sends a request with others behind it, then one more after each response; returns how many were answered before
  /// it, and the longest latency.
  private func run(_ method: String, _ params: String, _ daybook: Daybook) async throws -> (
    before: Int, worst: Duration
  ) {
    let clock = ContinuousClock()
    var (number, before, worst, isDone) = (0, 0, Duration.zero, false)
    var sent: [String: ContinuousClock.Instant] = [:]
    func next() -> [UInt8] {
      number += 1
      let id = "\(method) \(number)"
      sent[id] = clock.now
      return daybook.frame(Daybook.request(id, "session/get"))
    }
    var all = daybook.frame(Daybook.request(method, method, params))
    for _ in 0..<StallTests.behind { all += next() }
    daybook.post(all)
    while !isDone || !sent.isEmpty {
      let answer = try #require(await daybook.messages.take("an answer", where: { $0.responseID != nil }))
      #expect(answer["result"] != nil, "\(answer.text)")
      guard let id = answer.responseID?.string, let start = sent.removeValue(forKey: id) else {
        isDone = true
        continue
      }
      worst = max(worst, clock.now - start)
      guard !isDone else { continue }
      before += 1
      if sent.isEmpty { daybook.post(next()) }
    }
    return (before, worst)
  }

  private func report(_ name: String, _ worst: Duration) {
    print(
      "session/get behind \(name): \(worst.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))) at worst"
    )
  }
}
