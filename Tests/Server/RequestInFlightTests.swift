import DaybookProtocol
import JSONRPC
import Testing

@testable import DaybookServer

@Suite("Requests in flight")
struct RequestInFlightTests {
  private let id = RequestID(lexeme: Array(#""1""#.utf8))
  private let traffic = Traffic(channel: OutputChannel(descriptor: -1) {})

  @Test(
    "A request's id is free before its reply can be seen, and it counts as in flight until the reply is handed over")
  func leaving() {
    #expect(add())
    #expect(!traffic.hasNoRequests)
    var isSent = false
    traffic.complete(id) {
      #expect(!traffic.contains(id))
      #expect(!traffic.hasNoRequests, "a process that ends once nothing is in flight would lose this answer")
      isSent = true
    }
    #expect(isSent)
    #expect(traffic.hasNoRequests)
  }

  @Test("The id of a reply that is being sent can be reused at once")
  func reuse() {
    #expect(add())
    #expect(!add())
    traffic.complete(id) { #expect(add()) }
    #expect(!traffic.hasNoRequests)
    traffic.remove(id)
    #expect(traffic.hasNoRequests)
  }

  @Test("A request that is cancelled during an attempt is cancelled when it is requeued")
  func cancelledWhileTried() {
    traffic.requeue(request, (id, "debug/work"), at: Instant(milliseconds: 0))
    #expect(taken() == false)
    traffic.cancel(id)
    #expect(add())
    traffic.endAttempt()
    #expect(traffic.remove(id))
  }

  @Test("An answered attempt leaves nothing to a later request with its id")
  func answeredWhileTried() {
    traffic.requeue(request, (id, "debug/work"), at: Instant(milliseconds: 0))
    #expect(taken() == false)
    traffic.cancel(id)
    traffic.endAttempt()
    #expect(traffic.hasNoRequests)
    #expect(add())
    #expect(!traffic.remove(id))
  }

  @Test("A second request with the id of the current attempt does not replace it")
  func duplicateWhileTried() {
    traffic.requeue(request, (id, "debug/work"), at: Instant(milliseconds: 0))
    #expect(taken() == false)
    #expect(!traffic.enqueue(request, (id, "session/get"), at: Instant(milliseconds: 0)))
    #expect(add(), "the first one goes on")
    traffic.endAttempt()
    #expect(traffic.activities.map(\.method) == ["debug/work"])
    guard case .message(_, nil, _)? = traffic.next() else {
      Issue.record("the second one waits without its id, to be refused when its turn has come")
      return
    }
  }

  private let request = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Takes the queued request, and returns whether it was cancelled.
  private func taken() -> Bool? {
    guard case .message(_, id, let isCancelled)? = traffic.next() else { return nil }
    return isCancelled
  }

  private func add() -> Bool {
    traffic.add(id, method: "debug/work", state: .queued, since: Instant(milliseconds: 0))
  }
}
