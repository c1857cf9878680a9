import Foundation
import Pacing
import Testing

@testable import SyncEngine

@Suite("Simulation of sync", .simulated)
struct SimulationTests {
  /// From `SYNC_SEED` in the environment: another one makes other histories.
  private let seed = ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap(UInt64.init) ?? 36
  /// From `SYNC_HISTORY`: the only one that is run.
  private let only = ProcessInfo.processInfo.environment["SYNC_HISTORY"].flatMap(Int.init)

  /// Edits; passes that fail, lose answers, or are interrupted anywhere, also within a transaction; processes that end;
  /// full disks; copied data folders, restored backups, remotes that are set back, lose files or are forgotten; clocks
  /// that are a day off or set back; a year without anybody; and files that arrive one by one, late, cut off, or twice.
  @Test("After any history all devices hold the same", arguments: SimulatedWorld.Mode.allCases)
  func convergence(_ mode: SimulatedWorld.Mode) throws {
    for number in only.map({ $0..<$0 + 1 }) ?? 0..<Histories.steps(1250) {
      let world = try SimulatedWorld(mode, seed: seed, number, devices: number % 5 == 4 ? 5 : 3)
      for _ in 0..<200 { try world.step() }
      let problems = try world.settle(withoutOne: number % 4 == 3)
      #expect(problems.isEmpty, "seed \(seed), history \(number): \(problems.prefix(3).joined(separator: "; "))")
    }
  }
}
