import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of progression", .simulated)
struct ProgressionHistoryTests {
  @Test(
    "After random corrections, deletions and undos, the state is that of the sessions as they are", arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = ProgressionHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(60))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
