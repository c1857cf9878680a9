import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of days", .simulated)
struct DayHistoryTests {
  @Test(
    "After any changes in any order, every day adds up, and caches change no answer",
    arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = DayHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(80))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
