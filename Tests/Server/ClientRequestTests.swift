import Platform
import ServerTesting
import Testing

@testable import DaybookServer

@Suite("Requests to the client")
struct ClientRequestTests {
  private func text(_ answer: ClientRequests.Answer) -> String {
    if case .result(let bytes) = answer { String(decoding: bytes, as: UTF8.self) } else { "none" }
  }

  @Test("A reply reaches the caller of its own request only")
  func answered() async {
    let requests = ClientRequests()
    await withTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          let asked = Notes<Int>()
          let answer = await requests.ask(timeout: 60_000) { id in
            asked.add(id)
            requests.resume(id + 1_000_000, .none)
            Task { requests.resume(id, .result(Array("\(id)".utf8))) }
          }
          #expect(text(answer) == "\(asked.all.first ?? 0)")
        }
      }
    }
  }

  @Test("A reply that arrives while the request is still being sent counts")
  func immediate() async {
    let requests = ClientRequests()
    #expect(text(await requests.ask(timeout: 60_000) { requests.resume($0, .result([0x31])) }) == "1")
  }

  @Test("After the timeout, even of zero, there is no reply", arguments: [0, 1])
  func timeout(_ milliseconds: Int) async {
    let requests = ClientRequests()
    await withTaskGroup { group in
      for _ in 0..<500 {
        group.addTask { #expect(text(await requests.ask(timeout: milliseconds) { _ in }) == "none") }
      }
    }
  }

  @Test("A cancellation ends the wait, whenever it comes")
  func cancelled() async {
    let requests = ClientRequests()
    for round in 0..<500 {
      let task = Task { await requests.ask(timeout: 60_000) { _ in } }
      if round % 2 == 0 { await Task.yield() }
      task.cancel()
      #expect(text(await task.value) == "none")
    }
  }

  @Test("The end of the session ends every wait, and later requests are not sent")
  func closed() async {
    let requests = ClientRequests()
    let asked = Count()
    await withTaskGroup { group in
      for _ in 0..<50 {
        group.addTask { #expect(text(await requests.ask(timeout: 60_000) { _ in asked.add() }) == "none") }
      }
      group.addTask {
        _ = await eventually { asked.value > 0 }
        requests.close()
      }
    }
    let before = asked.value
    #expect(text(await requests.ask(timeout: 60_000) { _ in asked.add() }) == "none")
    #expect(asked.value == before)
  }
}
