import Platform
import Synchronization

/// Threads that share a number of pieces of work.
///
/// Threads rather than tasks: each spends its time in `poll`, which has no place on the pool of Swift's concurrency.
enum Workers {
  /// Counts the pieces that were taken.
  private final class Counter: Sendable {
    private let next = Atomic<Int>(0)
    func take() -> Int { next.add(1, ordering: .relaxed).oldValue }
  }

  /// Does all pieces, `jobs` at a time, and returns when the last is done.
  static func run(count: Int, jobs: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let counter = Counter()
    let work: @Sendable () -> Void = {
      while true {
        let index = counter.take()
        guard index < count else { return }
        body(index)
      }
    }
    let ends = (0..<max(1, min(jobs, count))).map { _ in Parker() }
    for end in ends {
      // Messages nest up to 512 levels, and are read by recursion.
      let isStarted = Threads.start(stackSize: 8 << 20) {
        work()
        end.unpark()
      }
      // Without a thread, the work is done on this one.
      if !isStarted {
        work()
        end.unpark()
      }
    }
    for end in ends { end.park() }
  }
}
