import Platform

/// Limits how many heavy requests read or write the data folder at a time, as each may produce a large reply. The
/// others wait in order of arrival, also while the client does not read the replies there are.
///
/// Bulk work, such as imports, exports and backups, takes the whole folder, needs the same locks and produces the
/// largest replies: of a connection's bulk requests one works at a time, in order of arrival, and the others wait
/// instead of being refused.
final class WorkTurns: Sendable {
  let state = Guarded(WorkTurnState<CheckedContinuation<Bool, Never>>(free: 4))
  private let channel: OutputChannel

  init(channel: OutputChannel) { self.channel = channel }

  /// Registers a request, and returns its place in the order of arrival. Later bulk requests wait for one that
  /// `isBulk` until it has left.
  func arrive(isBulk: Bool) -> Int { state.withLock { $0.arrive(isBulk: isBulk) } }

  /// Waits for a turn, which `leave` ends; false when the request was cancelled first.
  func enter(_ id: Int, isBulk: Bool) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = state.withLock { $0.wait(id, isBulk: isBulk, continuation) }
        if !isWaiting { continuation.resume(returning: false) }
        admit()
      }
    } onCancel: {
      state.withLock { $0.cancel(id) }?.resume(returning: false)
      admit()
    }
  }

  /// Ends the request's turn, if it has one, and forgets the request.
  func leave(_ id: Int) {
    state.withLock { $0.leave(id) }
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
  private let id: Int
  private let isBulk: Bool
  private let hasEntered = Guarded(false)

  /// - Parameter isBulk: Whether all its work is bulk work, so that later bulk work waits for it from now on.
  init(_ turns: WorkTurns, isBulk: Bool = false) {
    self.turns = turns
    self.isBulk = isBulk
    id = turns.arrive(isBulk: isBulk)
  }

  // A request that is answered again after a failed commit never gets to its work.
  deinit { end() }

  /// Acquires the turn, unless the request has it; false when it was cancelled first.
  func begin(isBulk: Bool = false) async -> Bool {
    if hasEntered.withLock({ $0 }) { return true }
    guard await turns.enter(id, isBulk: self.isBulk || isBulk) else { return false }
    hasEntered.withLock { $0 = true }
    return true
  }

  func end() { turns.leave(id) }
}

/// The waiters for a turn of heavy work, as a value: each step of `WorkTurns` under its lock.
struct WorkTurnState<Waiter: Sendable>: Sendable {
  /// The number of free turns.
  private(set) var free: Int
  /// Ascending by id.
  private(set) var waiting: [(id: Int, isBulk: Bool, waiter: Waiter)] = []
  private var lastID = 0
  /// The bulk requests that have arrived and neither wait nor work yet.
  private var coming: Set<Int> = []
  /// Those that work, each with whether it is bulk work.
  private var working: [Int: Bool] = [:]
  /// The ids that were cancelled before they waited.
  private var cancelled: Set<Int> = []

  init(free: Int) { self.free = free }

  /// A new id under which a request waits and can be cancelled.
  mutating func arrive(isBulk: Bool) -> Int {
    lastID += 1
    if isBulk { coming.insert(lastID) }
    return lastID
  }

  /// False when the request was cancelled before.
  mutating func wait(_ id: Int, isBulk: Bool, _ waiter: Waiter) -> Bool {
    coming.remove(id)
    guard cancelled.remove(id) == nil else { return false }
    let place = waiting.lastIndex { $0.id < id }.map { $0 + 1 } ?? 0
    waiting.insert((id, isBulk, waiter), at: place)
    return true
  }

  /// Takes the first waiter that may work, if a turn is free.
  mutating func admit() -> Waiter? {
    guard free > 0 else { return nil }
    let hasBulk = working.values.contains(true)
    let next = waiting.firstIndex { request in
      !request.isBulk || !hasBulk && !coming.contains { $0 < request.id }
    }
    guard let next else { return nil }
    let (id, isBulk, waiter) = waiting.remove(at: next)
    free -= 1
    working[id] = isBulk
    return waiter
  }

  /// Removes a cancelled waiter, if it is waiting.
  mutating func cancel(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      if working[id] == nil { cancelled.insert(id) }
      return nil
    }
    return waiting.remove(at: index).waiter
  }

  /// Ends a request, and its turn if it has one.
  mutating func leave(_ id: Int) {
    coming.remove(id)
    cancelled.remove(id)
    if working.removeValue(forKey: id) != nil { free += 1 }
  }
}
