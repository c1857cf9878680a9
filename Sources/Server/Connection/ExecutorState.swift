/// Who runs the session's code, and what waits for its turn, as a value: each step of `SessionExecutor` under its lock.
struct ExecutorState<Job: Sendable>: Sendable {
  private(set) var jobs: [Job] = []
  /// What only the session's own thread takes, and only when nothing else is to be done.
  private(set) var idleJobs: [Job] = []
  /// The thread that runs the session's code now; 0 when none does.
  private(set) var owner: UInt = 0
  private(set) var thread = SleepingThread()

  mutating func add(_ job: Job) -> SleepingThread.Call {
    jobs.append(job)
    return callThread()
  }

  mutating func addIdle(_ job: Job) -> SleepingThread.Call {
    idleJobs.append(job)
    return callThread()
  }

  /// Ensures that somebody looks for what waits: an owner does before it lets go, and then calls the thread for idle jobs.
  mutating func callThread() -> SleepingThread.Call {
    owner == 0 && !(jobs.isEmpty && idleJobs.isEmpty) ? thread.call() : .nobody
  }

  mutating func threadFailedToStart() { thread.failToStart() }

  /// Takes the executor for a thread, unless somebody has it or work waits for it.
  mutating func borrow(_ thread: UInt) -> Bool {
    guard owner == 0, jobs.isEmpty else { return false }
    owner = thread
    return true
  }

  /// Takes the executor for a thread that runs what waits, unless another one has it.
  mutating func takeOver(_ thread: UInt) -> Bool {
    guard owner == 0 || owner == thread else { return false }
    owner = thread
    return true
  }

  /// The next job of the owner; without one, nobody is the owner any more.
  mutating func next() -> Job? {
    guard !jobs.isEmpty else {
      owner = 0
      return nil
    }
    return jobs.removeFirst()
  }

  /// What the session's own thread does next, as the owner, idle jobs last; nil when it sleeps next.
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
