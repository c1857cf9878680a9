import DaybookProtocol
import JSONRPC
import Platform
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Requests in flight")
struct RequestTests {
  private func id(_ text: String) -> RequestID { RequestID(lexeme: Array(text.utf8)) }
  private let now = Instant(milliseconds: 0)

  @Test("An id is in use until it is removed, and kinds of ids are distinguished")
  func ids() {
    let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})
    #expect(traffic.hasNoRequests)
    #expect(traffic.add(id("1"), method: "a", state: .queued, since: now))
    #expect(!traffic.add(id("1"), method: "b", state: .queued, since: now))
    #expect(traffic.add(id("\"1\""), method: "c", state: .running, since: now))
    #expect(traffic.add(id("1.0"), method: "d", state: .running, since: now))
    #expect(traffic.activities.map(\.method) == ["a", "c", "d"])
    #expect(traffic.remove(id("1")) == false)
    #expect(traffic.add(id("1"), method: "e", state: .queued, since: now))
    #expect(traffic.activities.map(\.method) == ["c", "d", "e"])
  }

  @Test(
    "A cancellation is kept for the worker that takes the request, and carried out once the request can be cancelled")
  func cancelling() {
    let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})
    let cancelled = Count()
    _ = traffic.add(id("1"), method: "a", state: .queued, since: now)
    traffic.cancel(id("1"))
    traffic.cancel(id("2"))
    traffic.attach(id("1")) { cancelled.add() }
    #expect(cancelled.value == 1)
    #expect(traffic.remove(id("1")))
    #expect(!traffic.remove(id("1")))
    _ = traffic.add(id("3"), method: "a", state: .running, since: now)
    traffic.attach(id("3")) { cancelled.add() }
    traffic.cancelAll()
    #expect(cancelled.value == 2)
  }

  @Test("A request that is being committed cannot be cancelled")
  func committing() {
    let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})
    _ = traffic.add(id("1"), method: "a", state: .committing, since: now)
    traffic.cancel(id("1"))
    traffic.cancelAll()
    #expect(!traffic.remove(id("1")))
  }

  @Test("Counts are right when many threads use it")
  func contention() async {
    let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<1000 {
            let key = id("\(task * 1000 + number)")
            _ = traffic.add(key, method: "m", state: .queued, since: now)
            if number % 3 == 0 { traffic.cancel(key) }
            if number % 2 == 0 { traffic.attach(key) {} }
            #expect(traffic.remove(key) == (number % 3 == 0))
          }
        }
      }
    }
    #expect(traffic.hasNoRequests && traffic.activities.isEmpty)
  }
}

@Suite("Queued messages")
struct WaitingMessageTests {
  @Test("Items come out in order, and a drain is requested when none is scheduled")
  func order() {
    var state = TrafficState()
    let calls = [state.append(.message([1, 2, 3], nil)), state.append(.message([4], nil))]
    #expect(calls == [true, false])
    #expect(state.waitingBytes == 4 && state.hasMessages)
    guard case .message(let first, _, _)? = state.next(), case .message(let second, _, _)? = state.next() else {
      Issue.record("two messages were put in")
      return
    }
    #expect(first == [1, 2, 3] && second == [4])
    #expect(state.waitingBytes == 0 && !state.hasMessages)
    let isCalledTooSoon = state.append(.overload(nil))
    #expect(!isCalledTooSoon, "the taker has not found it empty yet")
    _ = state.next()
    if state.next() != nil { Issue.record("there was one item") }
    let isCalled = state.append(.overload(nil))
    #expect(isCalled)
  }

  @Test("Items added by several threads are each taken once, in each sender's order")
  func contention() async {
    let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})
    let taken = Notes<[UInt8]>()
    await withTaskGroup { group in
      for sender in UInt8(0)..<4 {
        group.addTask {
          for number in 0..<1000 {
            let text = [sender, UInt8(number / 256), UInt8(number % 256)]
            guard text.withUnsafeBytes({ traffic.enqueue($0, nil, at: Instant(milliseconds: 0)) }) else { continue }
            while case .message(let bytes, _, _)? = traffic.next() { taken.add(bytes) }
          }
        }
      }
    }
    #expect(taken.all.count == 4000)
    for sender in UInt8(0)..<4 {
      let numbers = taken.all.filter { $0[0] == sender }.map { Int($0[1]) * 256 + Int($0[2]) }
      #expect(numbers == Array(0..<1000))
    }
  }
}
