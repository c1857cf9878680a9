import Platform

/// Loads the next segments on its own thread while the caller processes earlier ones: verifying a month takes about as
/// long as processing it.
final class ReadAhead: Sendable {
  private struct State {
    /// The first step that nobody has begun to load.
    var next: Int
    /// The caller's current step.
    var current = 0
    /// Whether this thread is loading a step.
    var isLoading = false
    var isWaited = false
    var isParked = false
    var isOver = false
  }

  /// How many steps are loaded ahead; more would only fill the memory.
  private static let depth = 2

  private let state: Guarded<State>
  private let count: Int
  private let load: @Sendable (Int) -> Void
  /// Unparked when an awaited step is loaded, and when there is more to load.
  private let loaded = Parker()
  private let wanted = Parker()

  /// Starts the thread; nil when the system refuses.
  ///
  /// - Parameters:
  ///   - first: The first step to load, of `count`.
  ///   - load: Loads the segments of a step.
  init?(from first: Int, count: Int, load: @escaping @Sendable (Int) -> Void) {
    state = Guarded(State(next: first))
    self.count = count
    self.load = load
    guard Threads.start({ [self] in run() }) else { return nil }
  }

  /// To be called before processing a step: returns once the step is loaded here, or at once if nobody has begun to
  /// load it.
  func begin(_ step: Int) {
    let (waits, wakes) = state.withLock { state -> (Bool, Bool) in
      state.current = step
      let waits = state.isLoading && state.next == step + 1
      state.isWaited = waits
      // A step that was not begun is loaded by the caller.
      state.next = max(state.next, step + 1)
      defer { state.isParked = false }
      return (waits, state.isParked)
    }
    if wakes { wanted.unpark() }
    if waits { loaded.park() }
  }

  /// Ends the loading.
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
