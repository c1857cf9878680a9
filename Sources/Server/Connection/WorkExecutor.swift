import Platform

/// Where requests are worked on that take long, on threads of our own that end when there is nothing left: the runtime's need
/// descriptors when they are first used, and end the process if there are none.
final class WorkExecutor: TaskExecutor {
  fileprivate struct State {
    var jobs: [UnownedJob] = []
    var threads = 0
  }

  static let shared = WorkExecutor()

  /// The most threads at a time. What waits for the disk does not do it on one of these.
  private static let mostThreads = 4

  private let state = Guarded(State())

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let startsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < WorkExecutor.mostThreads else { return false }
      state.threads += 1
      return true
    }
    // Where the system has no thread to give now, it is done at once.
    if startsThread, !Threads.start(stackSize: 8 << 20, { [self] in run() }) { run() }
  }

  private func run() {
    while let job = state.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

extension WorkExecutor.State {
  /// The next job; without one, the thread ends.
  fileprivate mutating func next() -> UnownedJob? {
    guard !jobs.isEmpty else {
      threads -= 1
      return nil
    }
    return jobs.removeFirst()
  }
}
