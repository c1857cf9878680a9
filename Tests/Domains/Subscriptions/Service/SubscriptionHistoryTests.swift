import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of subscriptions", .simulated)
struct SubscriptionHistoryTests {
  @Test(
    "After random edits by two processes, caches change no answer and the past stays",
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
