import CivilTime
import DaybookProtocol
import JSONRPC
import Testing

@testable import DaybookServer

@Suite("Requests in flight")
struct InFlightTableTests {
  private let id = RequestID(lexeme: Array(#""1""#.utf8))
  private let table = InFlightTable()

  @Test("A request's id is free before its answer can be seen, and the table is not empty until it was handed over")
  func leaving() {
    #expect(add())
    #expect(!table.isEmpty)
    var isSent = false
    table.leave(id) {
      #expect(!table.contains(id))
      #expect(!table.isEmpty, "a process that ends once nothing is in flight would lose this answer")
      isSent = true
    }
    #expect(isSent)
    #expect(table.isEmpty)
  }

  @Test("The id of an answer on its way can be used again at once")
  func reuse() {
    #expect(add())
    #expect(!add())
    table.leave(id) { #expect(add()) }
    #expect(!table.isEmpty)
    table.remove(id)
    #expect(table.isEmpty)
  }

  @Test("A request that is cancelled while it is being tried is cancelled when it has to wait on")
  func cancelledWhileTried() {
    #expect(add())
    #expect(!table.take(id))
    table.cancel(id)
    #expect(add())
    table.endTrying()
    #expect(table.remove(id))
  }

  @Test("What is tried and answered leaves nothing to a later request with its id")
  func answeredWhileTried() {
    #expect(add())
    #expect(!table.take(id))
    table.cancel(id)
    table.endTrying()
    #expect(table.isEmpty)
    #expect(add())
    #expect(!table.remove(id))
  }

  private func add() -> Bool {
    table.add(id, method: "debug/work", state: .queued, since: Instant(milliseconds: 0))
  }
}
