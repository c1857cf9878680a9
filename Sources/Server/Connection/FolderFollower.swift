import Platform
import Synchronization

/// Has the session poll the data folder when something changes in it between requests, from a thread of its own.
///
/// File system events are only a hint. The session polls once a second in any case: changes that another machine makes
/// on a network folder cause no event, and events can be lost.
final class FolderFollower: Sendable {
  /// The longest interval between two polls, in milliseconds.
  private static let interval: Int32 = 1000
  /// The shortest interval between two polls, in milliseconds: changes in quick succession are read together.
  private static let pause: Int32 = 10

  private let state = State()

  // The thread ends at its next look.
  deinit { state.isEnded.store(true, ordering: .releasing) }

  /// Starts the thread, which watches `paths` first. `poll` polls, and then passes the paths to watch from then on to
  /// its argument.
  func start(at paths: [String], poll: @escaping @Sendable (_ isDone: @escaping @Sendable ([String]) -> Void) -> Void) {
    state.watched.withLock { $0 = paths }
    Threads.start { [state] in
      let events = FolderEvents()
      while !state.isEnded.load(ordering: .acquiring) {
        let paths = state.watched.withLock { $0 }
        if let events {
          _ = events.wait(at: paths, milliseconds: FolderFollower.interval)
        } else {
          Threads.rest(milliseconds: FolderFollower.interval / 4)
        }
        // One poll at a time: a busy session is not asked repeatedly.
        if !state.isPolling.exchange(true, ordering: .acquiringAndReleasing) {
          poll { [state] present in
            state.watched.withLock { $0 = present }
            state.isPolling.store(false, ordering: .releasing)
          }
        }
        Threads.rest(milliseconds: FolderFollower.pause)
      }
    }
  }

  private final class State: Sendable {
    let watched = Guarded<[String]>([])
    let isPolling = Atomic<Bool>(false)
    let isEnded = Atomic<Bool>(false)
  }
}
