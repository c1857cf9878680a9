import Platform

/// Runs the tasks of heavy requests on threads of our own that end when the queue is empty: the runtime's threads need
/// descriptors on first use, and end the process when there are none.
final class WorkExecutor: TaskExecutor {
  fileprivate struct State {
    var jobs: [UnownedJob] = []
    var threads = 0
  }

  static let shared = WorkExecutor()

  /// The maximum number of threads. Work that waits for the disk has threads of its own.
  private static let maximumThreads = 4

  private let state = Guarded(State())

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let startsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < WorkExecutor.maximumThreads else { return false }
      state.threads += 1
      return true
    }
    // Without a thread to start, the job runs at once.
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
