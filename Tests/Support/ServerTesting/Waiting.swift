import Platform
import Synchronization

/// Yields to other threads until a condition holds; false after a very long time.
package func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<60_000 {
    if condition() { return true }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return false
}

/// Runs blocking code on a thread of its own, and waits for it without blocking.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    // A machine that is short of threads has one a little later.
    while !Threads.start(stackSize: 8 << 20, { continuation.resume(returning: body()) }) {
      Threads.rest(milliseconds: 10)
    }
  }
}

/// A counter shared by threads.
package final class Count: Sendable {
  private let number = Atomic<Int>(0)
  package init() {}
  package var value: Int { number.load(ordering: .acquiring) }
  package func add(_ amount: Int = 1) { number.add(amount, ordering: .acquiringAndReleasing) }
}

/// A log of entries from several threads, in order.
package final class Notes<Note: Sendable>: Sendable {
  private let notes = Guarded<[Note]>([])
  package init() {}
  package var all: [Note] { notes.withLock { $0 } }
  package func add(_ note: Note) { notes.withLock { $0.append(note) } }
}
