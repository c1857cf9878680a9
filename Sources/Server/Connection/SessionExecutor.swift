import Platform

/// The executor of the session: runs on a thread of its own, or on the reader's, which borrows it while it is free.
///
/// Borrowing makes small requests cheap: one thread reads the request, answers it and writes the reply. The compiler
/// checks the isolation; at run time it is the id of the owning thread.
final class SessionExecutor: SerialExecutor {
  enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  let state = Guarded(ExecutorState<Work>())
  private let parker = Parker()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = Work.job(UnownedJob(job))
    carryOut(state.withLock { $0.add(job) })
  }

  /// Runs `body` after the jobs queued before, without a task: tasks begin on the runtime's own threads, which need
  /// descriptors on first use and end the process when there are none.
  func enqueue(_ body: @escaping @Sendable () -> Void) {
    carryOut(state.withLock { $0.add(.body(body)) })
  }

  /// Runs `body` on the session's own thread once nothing else is queued. It does not prevent borrowing before it
  /// starts, so it must be short.
  func enqueueWhenIdle(_ body: @escaping @Sendable () -> Void) {
    carryOut(state.withLock { $0.addIdle(.body(body)) })
  }

  /// Ensures that a thread runs the queued jobs. Called periodically too, because the system may have had no thread to
  /// start earlier.
  func wakeThread() { carryOut(state.withLock { $0.wakeThread() }) }

  /// Ends the session's own thread once nothing is queued. Nothing may be added afterwards.
  func end() { carryOut(state.withLock { $0.end() }) }

  private func carryOut(_ call: SleepingThread.Call) {
    switch call {
    case .nobody: break
    case .wake: parker.unpark()
    case .start:
      // The same stack size as the reader's thread: a message may be nested as deeply here as there.
      if !Threads.start(stackSize: 8 << 20, { [self] in run() }) { state.withLock { $0.threadFailedToStart() } }
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() {
    precondition(
      isIsolatingCurrentContext() == true, "the session's state belongs to the thread that owns its executor")
  }

  func isIsolatingCurrentContext() -> Bool? {
    state.withLock { $0.owner == Threads.current }
  }

  /// Acquires the executor for the calling thread, unless it is owned or jobs are queued.
  func borrow() -> Bool {
    let thread = Threads.current
    return state.withLock { $0.borrow(thread) }
  }

  /// Releases the executor after running the jobs queued meanwhile.
  func release() {
    while let job = state.withLock({ $0.next() }) { perform(job) }
    wakeThread()
  }

  private func perform(_ job: Work) {
    switch job {
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .body(let body): body()
    }
  }

  /// The session's own thread, for jobs queued while nobody borrows the executor.
  private func run() {
    let thread = Threads.current
    while true {
      if let work = state.withLock({ $0.takeFirst(thread) }) {
        perform(work)
        release()
      } else if state.withLock({ $0.isEnded }) {
        return
      } else {
        parker.park()
      }
    }
  }
}

extension SessionExecutor {
  /// Whether no job runs or is queued; idle jobs do not count.
  var isIdle: Bool { state.withLock { $0.owner == 0 && $0.jobs.isEmpty } }

  /// Runs the queued jobs unless another thread owns the executor, and returns whether none is left. For the owner that
  /// ends the process and so never releases the executor.
  func drain() -> Bool {
    let thread = Threads.current
    if state.withLock({ $0.takeOver(thread) }) { release() }
    return isIdle
  }
}

/// The owner of the session's executor and the jobs queued for it, as a value: each step of `SessionExecutor` under its
/// lock.
struct ExecutorState<Job: Sendable>: Sendable {
  private(set) var jobs: [Job] = []
  /// Jobs that only the session's own thread runs, and only when nothing else is queued.
  private(set) var idleJobs: [Job] = []
  /// The thread that runs the session's code now; 0 for none.
  private(set) var owner: UInt = 0
  private(set) var thread = SleepingThread()
  private(set) var isEnded = false

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

  /// Has the thread end when it next finds nothing to do.
  mutating func end() -> SleepingThread.Call {
    isEnded = true
    return thread.state == .asleep ? thread.call() : .nobody
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
