import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories", .simulated)
struct HistoryTests {
  @Test("For any calls in any order, the service does what the model does", arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let service = InProcessService(folder: data) else { return ["no pipes"] }
      var run = HistoryRun(service, seed: UInt64(seed))
      run.run(steps: Histories.steps(150))
      let events = service.events.filter { $0.method == "mealsChanged" || $0.method == "settingsChanged" }
      let revisions = events.compactMap { $0["params"]?["revision"]?.integer }
      service.close()
      // One event for each transaction, in order.
      return run.mismatches + (revisions == Array(1..<run.model.revision + 1) ? [] : ["events: \(revisions)"])
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
