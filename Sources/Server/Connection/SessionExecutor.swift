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

  var hasWork: Bool { state.withLock { !$0.jobs.isEmpty } }
}
