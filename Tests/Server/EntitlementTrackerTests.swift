import DaybookProtocol
import Premium
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("The waiters for the store of record")
struct EntitlementTrackerTests {
  private func room() -> EntitlementTracker { EntitlementTracker(at: Instant(milliseconds: 1_767_614_400_000)) }

  /// The id of the verification; nil when the request waits.
  private func asked(_ turn: EntitlementTracker.Turn) -> VerificationID? {
    if case .ask(let id) = turn { id } else { nil }
  }

  @Test("A second verification supersedes the first; a third waits for the end of the second")
  func superseding() throws {
    var room = room()
    let first = try #require(asked(room.begin(.request, timeout: 100, at: 0, then: { _, _ in true })))
    let second = try #require(asked(room.begin(.request, timeout: 100, at: 10, then: { _, _ in true })))
    #expect(first != second)
    guard case .wait(endsBefore: false) = room.begin(.request, timeout: 100, at: 20, then: nil) else {
      Issue.record("the third was asked")
      return
    }
    #expect(room.end().map(\.verification) == [first, second], "the answer to the second serves the first")
    #expect(room.takeNext().map(\.timeout) == [100] && room.takeNext().isEmpty)
  }

  @Test("A waiting request with a shorter timeout than the running verification times out by its own timer")
  func shorter() {
    var room = room()
    for time in 0..<2 { _ = room.begin(.request, timeout: 5000, at: Int64(time), then: nil) }
    guard case .wait(endsBefore: true) = room.begin(.request, timeout: 100, at: 2, then: nil) else {
      Issue.record("it would wait for five seconds")
      return
    }
  }

  @Test("The waiters of a superseded verification time out separately, and once")
  func givingUp() throws {
    var room = room()
    let told = Count()
    let first = try #require(
      asked(
        room.begin(.request, timeout: 100, at: 0) { _, _ in
          told.add(); return true
        }))
    _ = room.begin(.request, timeout: 100, at: 10) { _, _ in true }
    for late in room.giveUp(first) { _ = late.then(.unknown(.timedOut), []) }
    #expect(told.value == 1 && room.giveUp(first).isEmpty && room.end().count == 1)
  }
}
