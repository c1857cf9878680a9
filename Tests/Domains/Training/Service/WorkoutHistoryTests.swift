import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of running sessions", .simulated)
struct WorkoutHistoryTests {
  @Test("After random changes by several processes, each continues where the last one was", arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = WorkoutHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(80))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }
}
