import Platform

/// Threads for work that takes or waits long, which has no place on the pool that all tasks share.
package final class OwnThreads: TaskExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    /// The threads that have nothing to do.
    var idle: [Parker] = []
  }

  private let state = Guarded(State())

  /// So many threads, which live as long as the program.
  package init(_ count: Int) {
    for _ in 0..<count {
      // Messages nest up to 512 levels, and are read by recursion.
      Threads.start(stackSize: 8 << 20) { [self] in work() }
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
