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

/// The waiters for a turn of heavy work, as a value: each step of `WorkTurns` under its lock.
struct WorkTurnState<Waiter: Sendable>: Sendable {
  /// The number of free turns.
  var free: Int
  private(set) var waiting: [(id: Int, waiter: Waiter)] = []
  private var lastID = 0
  /// The ids that were cancelled before they waited.
  private var cancelled: Set<Int> = []

  init(free: Int) { self.free = free }

  /// A new id under which a request waits and can be cancelled.
  mutating func begin() -> Int {
    lastID += 1
    return lastID
  }

  mutating func wait(_ id: Int, _ waiter: Waiter) -> Bool {
    guard cancelled.remove(id) == nil else { return false }
    waiting.append((id, waiter))
    return true
  }

  /// Takes the first waiter, if a turn is free.
  mutating func admit() -> Waiter? {
    guard free > 0, !waiting.isEmpty else { return nil }
    free -= 1
    return waiting.removeFirst().waiter
  }

  /// Removes a cancelled waiter, if it is waiting.
  mutating func cancel(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return waiting.remove(at: index).waiter
  }

  mutating func end(_ id: Int) { cancelled.remove(id) }
}
