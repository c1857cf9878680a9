import Pacing
import ProcessTesting
import Testing

@testable import DaybookServer

@Suite("Histories of subscriptions", .simulated)
struct SubscriptionHistoryTests {
  @Test(
    "Whatever is done to subscriptions by two processes, what is remembered changes no answer, and the past stays",
    arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = SubscriptionHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(60))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
