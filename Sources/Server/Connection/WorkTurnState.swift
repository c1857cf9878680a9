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

  /// Adds a waiter; false when it was cancelled before.
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

  /// Forgets an id that no longer waits.
  mutating func end(_ id: Int) { cancelled.remove(id) }
}
