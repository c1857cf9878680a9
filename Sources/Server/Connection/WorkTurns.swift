import Platform

/// How many heavy requests read or write the data folder at a time: each may make a large answer. The others wait in the order they
/// came, as long as the client does not take the answers there are, too.
final class WorkTurns: Sendable {
  private struct Waiting {
    let id: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free = WorkTurns.most
    var waiting: [Waiting] = []
    var lastID = 0
    /// The ids that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  /// The most at a time.
  private static let most = 4

  private let state = Guarded(State())
  private let channel: OutputChannel

  init(channel: OutputChannel) { self.channel = channel }

  /// Waits for a turn, which `leave` ends; false when the request was cancelled first.
  func enter() async -> Bool {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    let isEntered = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          state.waiting.append(Waiting(id: id, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: false) } else { admit() }
      }
    } onCancel: {
      cancel(id)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    return isEntered
  }

  /// Ends a turn.
  func leave() {
    state.withLock { $0.free += 1 }
    admit()
  }

  /// Gives turns to those who wait, as far as there are any; to be called when the client has taken answers, too.
  func admit() {
    while true {
      // The channel calls again when the client has taken the answers.
      if channel.isAboveHighWater, channel.tellWhenDrained() { return }
      let next = state.withLock { state -> Waiting? in
        guard state.free > 0, !state.waiting.isEmpty else { return nil }
        state.free -= 1
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      next.continuation.resume(returning: true)
    }
  }

  private func cancel(_ id: Int) {
    let waiting = state.withLock { state -> Waiting? in
      guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.waiting.remove(at: index)
    }
    waiting?.continuation.resume(returning: false)
  }
}

/// The turn of one request, taken when it first needs one and kept until its answer has left.
final class WorkTurn: Sendable {
  private let turns: WorkTurns
  private let hasEntered = Guarded(false)

  init(_ turns: WorkTurns) { self.turns = turns }

  /// Waits for the turn, unless the request has it; false when it was cancelled first.
  func begin() async -> Bool {
    if hasEntered.withLock({ $0 }) { return true }
    guard await turns.enter() else { return false }
    hasEntered.withLock { $0 = true }
    return true
  }

  func end() {
    if hasEntered.withLock({ $0 }) { turns.leave() }
  }
}
