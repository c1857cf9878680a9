import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Serialized, because they load the disk, and delays must not look like hangs.
@Suite("Processes killed during writes", .serialized, .processes)
struct KillTests {
  static let rounds = ProcessInfo.processInfo.environment["KILL_ROUNDS"].flatMap { Int($0) } ?? 10
  static let count = 1000

  /// Sends a thousand meals at once, runs `end` after some responses, and returns the acknowledged meals.
  private func interrupt(
    _ folder: TemporaryFolder, after answers: Int, _ end: (Daybook) -> Void
  ) async throws -> (acknowledged: Set<Int>, daybook: Daybook) {
    let daybook = try await Daybook.serve(folder.data)
    daybook.post(
      (0..<KillTests.count).flatMap { daybook.frame(Daybook.request("\($0)", "meals/add", Meals.params($0))) })
    var acknowledged: Set<Int> = []
    while acknowledged.count < answers {
      let message = try #require(try await daybook.messages.take("an answer", where: { $0.responseID != nil }))
      acknowledged.formUnion(Meals.acknowledged([message]))
    }
    end(daybook)
    return (acknowledged.union(Meals.acknowledged(try await daybook.messages.rest())), daybook)
  }

  private func check(_ folder: TemporaryFolder, _ acknowledged: Set<Int>) async throws {
    let stored = try await Meals.stored(in: folder.data)
    #expect(acknowledged.isSubset(of: stored), "lost: \(acknowledged.subtracting(stored).sorted())")
    #expect(stored == Set(0..<stored.count), "writes are stored in the order they were sent")
    let next = KillTests.count
    let more = try await Program.run(["call", "meals/add", Meals.params(next), "--data", folder.data])
    #expect(more.status == .exited(0), "\(more.error)")
    #expect(try await Meals.stored(in: folder.data) == stored.union([next]))
  }

  @Test("Killed at any moment, it has every acknowledged meal, and no partial ones", arguments: 0..<rounds)
  func killed(_ round: Int) async throws {
    let folder = try TemporaryFolder()
    let answers = Int.random(in: 0..<KillTests.count)
    let (acknowledged, daybook) = try await interrupt(folder, after: answers) { $0.process.signal(SIGKILL) }
    let status = try await daybook.exitStatus()
    #expect(status == .killed(by: SIGKILL) || acknowledged.count == KillTests.count)
    try await check(folder, acknowledged)
  }

  @Test(
    "Ended by a signal, it says why, and acknowledged changes are on disk", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalled(_ signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let (acknowledged, daybook) = try await interrupt(folder, after: 50) { $0.process.signal(signal) }
    #expect(try await daybook.exitStatus() == .exited(1))
    #expect(try await daybook.errorText().contains("ended by SIG"))
    #expect(daybook.garbage.isEmpty)
    try await check(folder, acknowledged)
  }

  @Test("A signal after “shutdown” ends successfully", arguments: [SIGTERM, SIGINT])
  func signalledAfterShutdown(_ signal: Int32) async throws {
    let folder = try TemporaryFolder()
    let daybook = try await Daybook.serve(folder.data)
    try await daybook.call("a", "shutdown")
    daybook.process.signal(signal)
    #expect(try await daybook.exitStatus() == .exited(0))
  }
}
