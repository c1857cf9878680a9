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
    func enter() async -> WorkTurn? {
      let turn = WorkTurn(turns)
      return await turn.begin() ? turn : nil
    }
    var working: [WorkTurn] = []
    for _ in 0..<4 { if let turn = await enter() { working.append(turn) } }
    #expect(working.count == 4)
    let waiting = Task { await enter() == nil }
    waiting.cancel()
    #expect(await waiting.value)
    for turn in working { turn.end() }
    for _ in 0..<4 { #expect(await enter() != nil) }
  }

  @Test("Bulk work is done one at a time, in order of arrival, whoever asks first; other work goes on beside it")
  func bulk() async {
    let tally = Tally()
    let bulk = (0..<20).map { _ in WorkTurn(turns, isBulk: true) }
    await withTaskGroup(of: Void.self) { group in
      for number in (0..<20).reversed() {
        group.addTask { [tally] in
          // One is refused before its work.
          guard number != 7 else { return bulk[7].end() }
          guard await bulk[number].begin() else { return }
          tally.begin(number)
          await Task.yield()
          tally.end()
          bulk[number].end()
        }
      }
      for _ in 0..<20 {
        group.addTask { [turns] in
          let turn = WorkTurn(turns)
          guard await turn.begin() else { return }
          turn.end()
        }
      }
    }
    #expect(tally.most == 1 && tally.done == 19)
    #expect(tally.order == (0..<20).filter { $0 != 7 })
  }

  @Test("Bulk work that is given up, before or while it waits, holds up nobody")
  func givenUp() async {
    var first: WorkTurn? = WorkTurn(turns, isBulk: true)
    let second = WorkTurn(turns, isBulk: true)
    let third = WorkTurn(turns, isBulk: true)
    let cancelled = Task { await second.begin() }
    cancelled.cancel()
    #expect(await !cancelled.value)
    let waiting = Task { await third.begin() }
    #expect(first != nil)
    first = nil
    #expect(await waiting.value)
    second.end()
    third.end()
    let last = WorkTurn(turns, isBulk: true)
    #expect(await last.begin())
    last.end()
  }
}

/// The number at work.
private final class Tally: Sendable {
  private let state = Guarded((working: 0, most: 0, done: 0, order: [Int]()))

  var most: Int { state.withLock { $0.most } }
  var done: Int { state.withLock { $0.done } }

  /// The numbers of those that began, in order.
  var order: [Int] { state.withLock { $0.order } }

  func begin(_ number: Int = 0) {
    state.withLock { state in
      state.order.append(number)
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
