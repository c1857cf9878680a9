import DomainKit
import Platform

/// The array of responses of a batch with deferred members, in the order of the requests.
final class BatchReply: Sendable {
  fileprivate struct State {
    /// One element per response; nil while it is outstanding.
    var responses: [OutgoingPieces?] = []
    var events: [Event] = []
    /// What follows the reply.
    var followUps: [@Sendable () -> Void] = []
    var isComplete = false
  }

  private let state = Guarded(State())
  private let complete: Completion

  init(_ complete: @escaping Completion) { self.complete = complete }

  /// Reserves the place of the next response.
  func reserve() -> Int {
    state.withLock { state in
      state.responses.append(nil)
      return state.responses.count - 1
    }
  }

  /// Puts a response in its place; its events follow the array.
  func put(_ response: OutgoingPieces, at place: Int, _ events: [Event] = []) {
    finish { state in
      state.responses[place] = response
      state.events += events
    }
  }

  /// Notes that no further places are reserved, and adds what follows the array: events, and then the follow-ups, whose
  /// events must not overtake it.
  func end(_ events: [Event], then followUps: [@Sendable () -> Void]) {
    finish { state in
      state.events = events + state.events
      state.followUps = followUps
      state.isComplete = true
    }
  }

  /// Makes a change, and completes the batch once every response is there.
  private func finish(_ change: @Sendable (inout State) -> Void) {
    let whole = state.withLock { state -> (text: OutgoingPieces, end: State)? in
      change(&state)
      let ready = state.responses.compactMap { $0 }
      guard state.isComplete, ready.count == state.responses.count else { return nil }
      var text = OutgoingPieces()
      for response in ready {
        text.append([UInt8(ascii: text.isEmpty ? "[" : ",")])
        text.append(response)
      }
      text.append([UInt8(ascii: "]")])
      return (text, state)
    }
    guard let whole else { return }
    complete(whole.text, whole.end.events)
    for body in whole.end.followUps { body() }
  }
}
