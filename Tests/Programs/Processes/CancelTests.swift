import Foundation
import JSON
import Pacing
import ProcessTesting
import Spawning
import Testing

@Suite("Cancelling", .processes)
struct CancelTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// When a request is cancelled, as seen from it.
  enum Moment: CaseIterable {
    case before, inOneWrite, atCompletion, after
  }

  @Test("A cancelled request is answered exactly once, whenever the cancellation comes", arguments: Moment.allCases)
  func race(_ moment: Moment) async throws {
    let daybook = try await Daybook.serve(folder.data)
    func cancel(_ id: String) -> [UInt8] {
      daybook.frame(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\#(id)"}}"#)
    }
    let rounds = 200
    for round in 0..<rounds {
      let work = daybook.frame(Daybook.request("\(round)", "debug/work", #"{"steps":\#(round % 7 * 40)}"#))
      switch moment {
      case .before: daybook.post(cancel("\(round)") + work)
      case .inOneWrite: daybook.post(work + cancel("\(round)"))
      case .atCompletion:
        daybook.post(work)
        try await daybook.allTaken()
        daybook.post(cancel("\(round)"))
      case .after:
        daybook.post(work)
        #expect(try await daybook.response("\(round)")["result"] != nil)
        daybook.post(cancel("\(round)"))
      }
    }
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    let rest = try await daybook.messages.rest()
    let ids = rest.compactMap { $0.responseID?.string }
    #expect(Set(ids).count == ids.count, "nothing is answered twice")
    #expect(ids.count == (moment == .after ? 0 : rounds))
    for message in rest { #expect(message["result"] != nil || message.errorName == "requestCancelled") }
    if moment == .before { #expect(rest.allSatisfy { $0["result"] != nil }, "unknown ids are ignored") }
  }

  @Test("A request is answered once, whether it times out, is cancelled, or succeeds", arguments: [0, 1])
  func questions(_ timeout: Int) async throws {
    let daybook = try await Daybook.serve(folder.data, .init(), capabilities: #"{"confirm":{}}"#)
    let rounds = 500
    let params = #"{"message":"Sure?","default":true,"timeoutMs":\#(timeout)}"#
    for round in 0..<rounds {
      daybook.request("\(round)", "debug/ask", params)
      if round % 2 == 0 { daybook.notify("$/cancelRequest", #"{"id":"\#(round)"}"#) }
    }
    for round in 0..<rounds {
      let response = try await daybook.response("\(round)")
      let isFine = response["result"]?["confirmed"]?.boolean == true || response.errorName == "requestCancelled"
      #expect(isFine, "\(response.text)")
    }
  }

  @Test("A write cancelled while queued leaves nothing, and reports it")
  func queuedWrite() async throws {
    var manner = Daybook.Manner.script
    manner.readsOutput = false
    let daybook = try await Daybook.serve(folder.data, manner)
    for number in 0..<60 { daybook.request("fill \(number)", "rpc.discover") }
    for number in 0..<100 {
      daybook.request("\(number)", "meals/add", Meals.params(number))
      if number % 2 == 0 { daybook.notify("$/cancelRequest", #"{"id":"\#(number)"}"#) }
    }
    try await daybook.allTaken()
    daybook.readOutput()
    daybook.closeInput()
    #expect(try await daybook.exitStatus() == .exited(0))
    let messages = try await daybook.messages.rest()
    let cancelled = Set(messages.filter { $0.errorName == "requestCancelled" }.compactMap { $0.responseID?.string })
    let acknowledged = Meals.acknowledged(messages)
    #expect(acknowledged.count + cancelled.count == 100)
    #expect(try await Meals.stored(in: folder.data) == acknowledged)
  }
}
