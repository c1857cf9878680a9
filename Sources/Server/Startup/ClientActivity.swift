import Platform
import Synchronization

/// Whether the client is active, for threads that let it go first.
final class ClientActivity: Sendable {
  private let counter = Atomic<Int>(0)

  /// A number that grows with each message received and each one processed.
  var count: Int { counter.load(ordering: .relaxed) }

  /// Notes that a message was received or processed; to be called by the session alone.
  func note() { counter.store(count &+ 1, ordering: .relaxed) }

  /// Waits until nothing was received or processed for a millisecond, unless nothing was since the last wait. While the
  /// client is active, each pause is twice as long as the last, and after 15 ms the wait ends.
  ///
  /// - Parameter last: The count after the last wait, which is updated; nil before the first.
  func waitUntilQuiet(since last: inout Int?) {
    var pause: Int32 = 1
    while count != last, pause <= 8 {
      last = count
      Threads.rest(milliseconds: pause)
      pause *= 2
    }
  }
}
