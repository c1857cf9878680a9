import Platform

/// Threads for long-running or blocking work that must not occupy the shared task pool.
package final class OwnThreads: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    /// The idle threads.
    var idle: [Parker] = []
  }

  private let state = Guarded(State())

  /// Starts `count` threads that live as long as the program.
  package init(_ count: Int) {
    for _ in 0..<count {
      // Messages nest up to 512 levels, and are read by recursion.
      while !Threads.start(stackSize: 8 << 20, { [self] in work() }) { Threads.rest(milliseconds: 10) }
    }
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let thread = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    thread?.unpark()
  }

  private func work() {
    let parker = Parker()
    while true {
      let job = state.withLock { state -> UnownedJob? in
        if state.jobs.isEmpty { state.idle.append(parker) }
        return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
      }
      if let job { job.runSynchronously(on: asUnownedTaskExecutor()) } else { parker.park() }
    }
  }
}
