import Platform
import Synchronization

/// The client's process, checked once a second by the thread that waits for signals.
final class ProcessWatch: Sendable {
  private let process = Atomic<Int>(0)

  /// Watches a process that is visible now.
  func begin(_ id: Int) { process.store(id, ordering: .relaxed) }

  /// The id of the watched process, if it has ended.
  var ended: Int? {
    let id = process.load(ordering: .relaxed)
    return id != 0 && (!Processes.isVisible(id) || Processes.isZombie(id)) ? id : nil
  }
}
