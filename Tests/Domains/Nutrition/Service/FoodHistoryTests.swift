import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of foods", .simulated)
struct FoodHistoryTests {
  @Test(
    "After any change of meals, foods match the listed meals in every process on the folder",
    arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = FoodHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(90))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
