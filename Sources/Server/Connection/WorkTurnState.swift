/// Who waits for a turn of heavy work, as a value: each step of `WorkTurns` under its lock.
struct WorkTurnState<Waiter: Sendable>: Sendable {
  /// How many turns there are to be had.
  var free: Int
  private(set) var waiting: [(id: Int, waiter: Waiter)] = []
  private var lastID = 0
  /// The ids that were cancelled before they began to wait.
  private var cancelled: Set<Int> = []

  init(free: Int) { self.free = free }

  /// The id under which one waits, and is cancelled.
  mutating func begin() -> Int {
    lastID += 1
    return lastID
  }

  /// Has somebody wait; false when that was cancelled before.
  mutating func wait(_ id: Int, _ waiter: Waiter) -> Bool {
    guard cancelled.remove(id) == nil else { return false }
    waiting.append((id, waiter))
    return true
  }

  /// Takes the one who has waited longest, if there is a turn for them.
  mutating func admit() -> Waiter? {
    guard free > 0, !waiting.isEmpty else { return nil }
    free -= 1
    return waiting.removeFirst().waiter
  }

  /// Takes the one out who is to wait no longer, if they have begun to.
  mutating func cancel(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return waiting.remove(at: index).waiter
  }

  /// Forgets an id that waits no longer.
  mutating func end(_ id: Int) { cancelled.remove(id) }
}
