import Platform

/// Notices that another device has left something. It looks from threads of its own: a folder on a network that does not
/// answer holds nobody up.
final class HeadsWatch: Sendable {
  private struct State: Sendable {
    var isLooking = false
    /// How the list of devices looked last, and when the last pass began.
    var present: FileMark?
    var seen: FileMark?
  }

  private let state = Guarded(State())

  /// Whether something was left since the last pass began.
  var hasNews: Bool { state.withLock { $0.present != $0.seen } }

  /// Notes that a pass begins, which reads what is there.
  func begin() { state.withLock { $0.seen = $0.present } }

  /// Looks at the folder of heads, unless that is going on.
  func look(at path: String) {
    let begins = state.withLock { state in
      defer { state.isLooking = true }
      return !state.isLooking
    }
    guard begins else { return }
    let isStarted = Threads.start { [self] in
      let mark = FileMark(path: path)
      state.withLock { state in (state.present, state.isLooking) = (mark, false) }
    }
    if !isStarted { state.withLock { $0.isLooking = false } }
  }
}
