import Platform
import Synchronization

/// Sees, on a thread of its own, when something happens in the data folder while no request comes, and has the session look.
///
/// What it sees is a hint only. It has the session look once a second in any case: another machine's changes on a network folder
/// cause no event, and events can be lost.
final class FolderFollower: Sendable {
  /// The longest time between two looks, milliseconds.
  private static let interval: Int32 = 1000
  /// After a look, the shortest time to the next: what comes in a row is seen together.
  private static let pause: Int32 = 10

  private let state = State()

  /// Starts the thread, which watches at `paths` first; `look` looks, and then calls what it is given with where to watch from then on.
  func start(at paths: [String], look: @escaping @Sendable (_ isDone: @escaping @Sendable ([String]) -> Void) -> Void) {
    state.watched.withLock { $0 = paths }
    Threads.start { [state] in
      let events = FolderEvents()
      while true {
        let paths = state.watched.withLock { $0 }
        if let events {
          _ = events.wait(at: paths, milliseconds: FolderFollower.interval)
        } else {
          Threads.rest(milliseconds: FolderFollower.interval / 4)
        }
        // One look at a time: a session that is busy is not asked again and again.
        if !state.isLooking.exchange(true, ordering: .acquiringAndReleasing) {
          look { [state] present in
            state.watched.withLock { $0 = present }
            state.isLooking.store(false, ordering: .releasing)
          }
        }
        Threads.rest(milliseconds: FolderFollower.pause)
      }
    }
  }

  private final class State: Sendable {
    let watched = Guarded<[String]>([])
    let isLooking = Atomic<Bool>(false)
  }
}
