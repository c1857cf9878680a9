import Platform
import Testing

@testable import DaybookServer

@Suite("The turns of heavy requests")
struct WorkTurnsTests {
  private let channel: OutputChannel
  private let pipe: Pipe
  private let turns: WorkTurns

  init() throws {
    pipe = try #require(Pipe())
    channel = OutputChannel(descriptor: pipe.writing) {}
    turns = WorkTurns(channel: channel)
  }

  @Test("At most four work at a time, and all get a turn")
  func atMostFour() async {
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask { [turns, tally] in
          let turn = WorkTurn(turns)
          guard await turn.begin(), await turn.begin() else { return }
          tally.begin()
          await Task.yield()
          tally.end()
          turn.end()
        }
      }
    }
    #expect(tally.most <= 4 && tally.done == 100)
  }

  @Test("A cancelled waiter leaves, and takes no turn")
  func cancelling() async {
    for _ in 0..<4 { #expect(await turns.enter()) }
    let waiting = Task { await turns.enter() }
    waiting.cancel()
    #expect(await waiting.value == false)
    for _ in 0..<4 { turns.leave() }
    for _ in 0..<4 { #expect(await turns.enter()) }
  }
}

/// The number at work.
private final class Tally: Sendable {
  private let state = Guarded((working: 0, most: 0, done: 0))

  var most: Int { state.withLock { $0.most } }
  var done: Int { state.withLock { $0.done } }

  func begin() {
    state.withLock { state in
      state.working += 1
      state.most = max(state.most, state.working)
    }
  }

  func end() {
    state.withLock { state in
      state.working -= 1
      state.done += 1
    }
  }
}
