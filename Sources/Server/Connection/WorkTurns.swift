import Platform

/// Limits how many heavy requests read or write the data folder at a time, as each may produce a large reply. The
/// others wait in order of arrival, also while the client does not read the replies there are.
final class WorkTurns: Sendable {
  let state = Guarded(WorkTurnState<CheckedContinuation<Bool, Never>>(free: 4))
  private let channel: OutputChannel

  init(channel: OutputChannel) { self.channel = channel }

  /// Waits for a turn, which `leave` ends; false when the request was cancelled first.
  func enter() async -> Bool {
    let id = state.withLock { $0.begin() }
    let isEntered = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { $0.wait(id, continuation) }
        if isWaiting { admit() } else { continuation.resume(returning: false) }
      }
    } onCancel: {
      state.withLock { $0.cancel(id) }?.resume(returning: false)
    }
    state.withLock { $0.end(id) }
    return isEntered
  }

  func leave() {
    state.withLock { $0.free += 1 }
    admit()
  }

  /// Gives free turns to the waiters; called again when the client has read replies.
  func admit() {
    while true {
      // The channel calls back when the client has read the replies.
      if channel.isAboveHighWater, channel.notifyWhenDrained() { return }
      guard let next = state.withLock({ $0.admit() }) else { return }
      next.resume(returning: true)
    }
  }
}

/// The turn of one request, acquired when it is first needed and kept until its reply has left.
final class WorkTurn: Sendable {
  private let turns: WorkTurns
  private let hasEntered = Guarded(false)

  init(_ turns: WorkTurns) { self.turns = turns }

  /// Acquires the turn, unless the request has it; false when it was cancelled first.
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
