import DaybookServer
import Pacing
import ProcessTesting
import ServerTesting
import Testing

@Suite("Histories of habits", .simulated)
struct HabitHistoryTests {
  @Test("After any changes, cards equal fresh ones, and caches change no answer", arguments: 0..<8)
  func histories(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard var run = HabitHistoryRun(folder: data, seed: UInt64(seed)) else { return ["no pipes"] }
      run.run(steps: Histories.steps(80))
      return run.mismatches
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
  }

  @Test(
    "With many logs the habits are read outside the session, and every answer equals that of a fresh process"
  )
  func manyLogs() async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let mismatches = await onThread { () -> [String] in
      guard let run = ManyLogs(folder: data) else { return ["no pipes"] }
      return run.mismatches()
    }
    #expect(mismatches.isEmpty)
  }

  @Test("After any change of clock and zone, each card equals a freshly opened one", arguments: 0..<8)
  func travels(_ seed: Int) async throws {
    let folder = try TemporaryFolder()
    let data = folder.data
    let (mismatches, newDays) = await onThread { () -> ([String], Int) in
      guard var walk = HabitCardWalk(folder: data, seed: UInt64(seed)) else { return (["no pipes"], 0) }
      walk.run(steps: Histories.steps(150))
      return (walk.mismatches, walk.newDays)
    }
    #expect(mismatches.isEmpty, "seed \(seed): \(mismatches)")
    #expect(newDays > 2, "days go by")
  }
}
