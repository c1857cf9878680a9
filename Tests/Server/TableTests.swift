import CivilTime
import DaybookProtocol
import JSONRPC
import Platform
import Testing

@testable import DaybookServer

@Suite("Requests under way")
struct TableTests {
  private func id(_ text: String) -> RequestID { RequestID(lexeme: Array(text.utf8)) }
  private let now = Instant(milliseconds: 0)

  @Test("An id is taken until it is removed, and kinds of ids are told apart")
  func ids() {
    let table = InFlightTable()
    #expect(table.isEmpty)
    #expect(table.add(id("1"), method: "a", state: .queued, since: now))
    #expect(!table.add(id("1"), method: "b", state: .queued, since: now))
    #expect(table.add(id("\"1\""), method: "c", state: .running, since: now))
    #expect(table.add(id("1.0"), method: "d", state: .running, since: now))
    #expect(table.activities.map(\.method) == ["a", "c", "d"])
    #expect(table.remove(id("1")) == false)
    #expect(table.add(id("1"), method: "e", state: .queued, since: now))
    #expect(table.activities.map(\.method) == ["c", "d", "e"])
  }

  @Test("A cancellation is kept for whoever takes the request, and carried out once there is something to cancel")
  func cancelling() {
    let table = InFlightTable()
    let cancelled = Count()
    _ = table.add(id("1"), method: "a", state: .queued, since: now)
    table.cancel(id("1"))
    table.cancel(id("2"))
    table.attach(id("1")) { cancelled.add() }
    #expect(cancelled.value == 1)
    #expect(table.remove(id("1")))
    #expect(!table.remove(id("1")))
    _ = table.add(id("3"), method: "a", state: .running, since: now)
    table.attach(id("3")) { cancelled.add() }
    table.cancelAll()
    #expect(cancelled.value == 2)
  }

  @Test("What waits for the disk is past cancelling")
  func committing() {
    let table = InFlightTable()
    _ = table.add(id("1"), method: "a", state: .committing, since: now)
    table.cancel(id("1"))
    table.cancelAll()
    #expect(!table.remove(id("1")))
  }

  @Test("Used from many threads, it counts right")
  func contention() async {
    let table = InFlightTable()
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for number in 0..<1000 {
            let key = id("\(task * 1000 + number)")
            _ = table.add(key, method: "m", state: .queued, since: now)
            if number % 3 == 0 { table.cancel(key) }
            if number % 2 == 0 { table.attach(key) {} }
            #expect(table.remove(key) == (number % 3 == 0))
          }
        }
      }
    }
    #expect(table.isEmpty && table.activities.isEmpty)
  }
}

@Suite("The inbox")
struct InboxTests {
  @Test("Items come out in order, and somebody is called for when nobody is there to take them")
  func order() {
    let inbox = Inbox()
    #expect(inbox.isEmpty)
    #expect(inbox.append(.message([1, 2, 3], nil)))
    #expect(!inbox.append(.message([4], nil)))
    #expect(inbox.bytes == 4 && !inbox.isEmpty)
    guard case .message(let first, _)? = inbox.take(), case .message(let second, _)? = inbox.take() else {
      Issue.record("two messages were put in")
      return
    }
    #expect(first == [1, 2, 3] && second == [4])
    #expect(inbox.bytes == 0 && inbox.isEmpty)
    #expect(!inbox.append(.overload([])), "the taker has not found it empty yet")
    _ = inbox.take()
    if inbox.take() != nil { Issue.record("there was one item") }
    #expect(inbox.append(.overload([])))
  }

  @Test("Of what several threads put in, each item is taken once, in its sender's order")
  func contention() async {
    let inbox = Inbox()
    let taken = Notes<[UInt8]>()
    await withTaskGroup { group in
      for sender in UInt8(0)..<4 {
        group.addTask {
          for number in 0..<1000 {
            guard inbox.append(.message([sender, UInt8(number / 256), UInt8(number % 256)], nil)) else { continue }
            while case .message(let bytes, _)? = inbox.take() { taken.add(bytes) }
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
