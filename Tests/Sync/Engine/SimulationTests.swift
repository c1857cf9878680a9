import Pacing
import Testing

@testable import SyncEngine

@Suite("Simulation of sync", .simulated)
struct SimulationTests {
  /// Edits, passes that fail or are interrupted anywhere, processes that end, copied data folders, remotes that are set
  /// back, wrong clocks, and files that arrive one by one.
  @Test("After any history all devices hold the same", arguments: SimulatedWorld.Mode.allCases)
  func convergence(_ mode: SimulatedWorld.Mode) throws {
    for number in 0..<Histories.steps(500) {
      let world = try SimulatedWorld(mode, seed: 36, number)
      for _ in 0..<200 { try world.step() }
      let problems = try world.settle()
      #expect(problems.isEmpty, "history \(number): \(problems.prefix(3).joined(separator: "; "))")
    }
  }
}
