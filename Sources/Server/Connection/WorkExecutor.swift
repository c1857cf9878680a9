import Platform

/// Runs the tasks of heavy requests on threads of our own that end when the queue is empty: the runtime's threads need
/// descriptors on first use, and end the process when there are none.
final class WorkExecutor: TaskExecutor {
  static let shared = WorkExecutor()

  // Work that waits for the disk has threads of its own.
  private let queue = Guarded(JobQueue<UnownedJob>(maximumThreads: 4))

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let startsThread = queue.withLock { $0.add(job) }
    // Without a thread to start, the job runs at once.
    if startsThread, !Threads.start(stackSize: 8 << 20, { [self] in run() }) { run() }
  }

  private func run() {
    while let job = queue.withLock({ $0.next() }) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// A queue of jobs for threads that end when it is empty, as a value.
struct JobQueue<Job: Sendable>: Sendable {
  private let maximumThreads: Int
  private var jobs: [Job] = []
  private var threads = 0

  init(maximumThreads: Int) { self.maximumThreads = maximumThreads }

  /// Adds a job; true when the caller must start a thread.
  mutating func add(_ job: Job) -> Bool {
    jobs.append(job)
    guard threads < maximumThreads else { return false }
    threads += 1
    return true
  }

  /// The next job; without one, the thread ends.
  mutating func next() -> Job? {
    guard !jobs.isEmpty else {
      threads -= 1
      return nil
    }
    return jobs.removeFirst()
  }
}
