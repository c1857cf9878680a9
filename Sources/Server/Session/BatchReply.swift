import DomainKit
import JSONRPC
import Platform

/// The array of responses of a batch some of whose members are answered later, in the order of the requests.
final class BatchReply: Sendable {
  fileprivate struct State {
    /// One place a response; nil while it is not there.
    var responses: [[UInt8]?] = []
    var events: [Event] = []
    var isComplete = false
  }

  private let state = Guarded(State())
  private let complete: Completion

  init(_ complete: @escaping Completion) { self.complete = complete }

  /// Keeps a place for the next response, and says which.
  func reserve() -> Int {
    state.withLock { state in
      state.responses.append(nil)
      return state.responses.count - 1
    }
  }

  /// Puts a response in its place; events of its own follow the array.
  func put(_ response: [UInt8], at place: Int, _ events: [Event] = []) {
    finish { state in
      state.responses[place] = response
      state.events += events
    }
  }

  /// No further places come; what follows the array is known.
  func end(_ events: [Event]) {
    finish { state in
      state.events = events + state.events
      state.isComplete = true
    }
  }

  /// Makes a change, and sends the array if that was what it waited for.
  private func finish(_ change: @Sendable (inout State) -> Void) {
    let whole = state.withLock { state -> (text: [UInt8], events: [Event])? in
      change(&state)
      let ready = state.responses.compactMap { $0 }
      guard state.isComplete, ready.count == state.responses.count else { return nil }
      return (
        [UInt8(ascii: "[")] + Array(ready.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")], state.events
      )
    }
    if let whole { complete(whole.text, whole.events) }
  }
}
