import Platform

/// Loads the segments that somebody comes to next, on a thread of its own, while they go through those before: checking a month
/// takes about as long as going through it.
final class ReadAhead: Sendable {
  private struct State {
    /// The first step that nobody has begun to load.
    var next: Int
    /// The step that the other one is at.
    var current = 0
    /// Whether a step is being loaded on the thread here.
    var isLoading = false
    var isWaited = false
    var isParked = false
    var isOver = false
  }

  /// How many steps are loaded before somebody comes to them: more would only fill the memory.
  private static let depth = 2

  private let state: Guarded<State>
  private let count: Int
  private let load: @Sendable (Int) -> Void
  /// Signalled when a step that somebody waits for is loaded, and when there is more to load.
  private let loaded = Parker()
  private let wanted = Parker()

  /// Begins to load; nil when the system has no thread to give.
  ///
  /// - Parameters:
  ///   - first: The first step that may be loaded, of `count`.
  ///   - load: Loads what is gone through in a step.
  init?(from first: Int, count: Int, load: @escaping @Sendable (Int) -> Void) {
    state = Guarded(State(next: first))
    self.count = count
    self.load = load
    guard Threads.start({ [self] in run() }) else { return nil }
  }

  /// To be called before a step is gone through: returns when it is loaded here, or nobody has begun to.
  func begin(_ step: Int) {
    let (waits, wakes) = state.withLock { state -> (Bool, Bool) in
      state.current = step
      let waits = state.isLoading && state.next == step + 1
      state.isWaited = waits
      // What was not begun is loaded by who needs it.
      state.next = max(state.next, step + 1)
      defer { state.isParked = false }
      return (waits, state.isParked)
    }
    if wakes { wanted.unpark() }
    if waits { loaded.park() }
  }

  /// Nothing more is wanted.
  func end() {
    let wakes = state.withLock { state -> Bool in
      state.isOver = true
      return state.isParked
    }
    if wakes { wanted.unpark() }
  }

  private enum Work { case load(Int), rest, end }

  private func run() {
    while true {
      let work = state.withLock { state -> Work in
        if state.isOver || state.next >= count { return .end }
        if state.next > state.current + ReadAhead.depth {
          state.isParked = true
          return .rest
        }
        state.next += 1
        state.isLoading = true
        return .load(state.next - 1)
      }
      switch work {
      case .end: return
      case .rest: wanted.park()
      case .load(let step):
        load(step)
        let wakes = state.withLock { state -> Bool in
          state.isLoading = false
          defer { state.isWaited = false }
          return state.isWaited
        }
        if wakes { loaded.unpark() }
      }
    }
  }
}
