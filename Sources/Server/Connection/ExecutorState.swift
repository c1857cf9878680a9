/// The owner of the session's executor and the jobs queued for it, as a value: each step of `SessionExecutor` under its
/// lock.
struct ExecutorState<Job: Sendable>: Sendable {
  private(set) var jobs: [Job] = []
  /// Jobs that only the session's own thread runs, and only when nothing else is queued.
  private(set) var idleJobs: [Job] = []
  /// The thread that runs the session's code now; 0 for none.
  private(set) var owner: UInt = 0
  private(set) var thread = SleepingThread()

  mutating func add(_ job: Job) -> SleepingThread.Call {
    jobs.append(job)
    return wakeThread()
  }

  mutating func addIdle(_ job: Job) -> SleepingThread.Call {
    idleJobs.append(job)
    return wakeThread()
  }

  /// Ensures that a thread runs the queued jobs. An owner runs them before it releases the executor, and then wakes the
  /// thread for idle jobs.
  mutating func wakeThread() -> SleepingThread.Call {
    owner == 0 && !(jobs.isEmpty && idleJobs.isEmpty) ? thread.call() : .nobody
  }

  mutating func threadFailedToStart() { thread.failToStart() }

  /// Acquires the executor for a thread, unless it is owned or jobs are queued.
  mutating func borrow(_ thread: UInt) -> Bool {
    guard owner == 0, jobs.isEmpty else { return false }
    owner = thread
    return true
  }

  /// Acquires the executor for a thread that then runs the queued jobs, unless another thread owns it.
  mutating func takeOver(_ thread: UInt) -> Bool {
    guard owner == 0 || owner == thread else { return false }
    owner = thread
    return true
  }

  /// The owner's next job; without one, releases the executor.
  mutating func next() -> Job? {
    guard !jobs.isEmpty else {
      owner = 0
      return nil
    }
    return jobs.removeFirst()
  }

  /// The next job of the session's own thread, which becomes the owner; idle jobs come last. Nil when the thread should
  /// sleep.
  mutating func takeFirst(_ own: UInt) -> Job? {
    guard owner == 0, !(jobs.isEmpty && idleJobs.isEmpty) else {
      thread.sleep()
      return nil
    }
    owner = own
    return jobs.isEmpty ? idleJobs.removeFirst() : jobs.removeFirst()
  }
}

extension ExecutorState: Equatable where Job: Equatable {}
extension ExecutorState: Hashable where Job: Hashable {}
