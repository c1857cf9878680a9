import Platform

/// Where the session's code runs: a thread of its own, or the reader's, which borrows the executor while nobody else has it.
///
/// Borrowing is what makes a small request cheap: it is read, answered and its reply written on one thread, without a hop.
/// Isolation is still the compiler's to check; at run time it is the id of the owning thread.
final class SessionExecutor: SerialExecutor {
  /// Something that waits for its turn.
  enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  let state = Guarded(ExecutorState<Work>())
  private let parker = Parker()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = Work.job(UnownedJob(job))
    rouse(state.withLock { $0.add(job) })
  }

  /// Runs `body` when its turn has come, without a task: those begin on the runtime's own threads, which need descriptors when they
  /// are first used, and end the process if there are none.
  func enqueue(_ body: @escaping @Sendable () -> Void) {
    rouse(state.withLock { $0.add(.body(body)) })
  }

  /// Runs `body` on the session's own thread once nothing else waits. It keeps nobody from borrowing before it has begun, so that it
  /// must be short.
  func enqueueWhenIdle(_ body: @escaping @Sendable () -> Void) {
    rouse(state.withLock { $0.addIdle(.body(body)) })
  }

  /// Ensures that somebody runs what waits. Called from time to time, too: the system may have had no thread to give when it came.
  func callThread() { rouse(state.withLock { $0.callThread() }) }

  private func rouse(_ call: SleepingThread.Call) {
    switch call {
    case .nobody: break
    case .wake: parker.unpark()
    case .start:
      // As deep a stack as the reader's thread has: a message may be nested as deeply here as there.
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

  /// Takes the executor for the calling thread, unless somebody has it or work waits for it.
  func borrow() -> Bool {
    let thread = Threads.current
    return state.withLock { $0.borrow(thread) }
  }

  /// Gives the executor back, after running what came in meanwhile.
  func giveBack() {
    while let job = state.withLock({ $0.next() }) { perform(job) }
    callThread()
  }

  private func perform(_ job: Work) {
    switch job {
    case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
    case .body(let body): body()
    }
  }

  /// The thread of its own, for what comes while nobody borrows.
  private func run() {
    let thread = Threads.current
    while true {
      if let work = state.withLock({ $0.takeFirst(thread) }) {
        perform(work)
        giveBack()
      } else {
        parker.park()
      }
    }
  }
}

extension SessionExecutor {
  /// Whether nobody runs and nothing waits; what is for idle times does not count.
  var isIdle: Bool { state.withLock { $0.owner == 0 && $0.jobs.isEmpty } }

  /// Runs what waits, unless another thread has the executor, and says whether nothing waits then. For the owner that ends the process
  /// and never comes back to give the executor back.
  func settle() -> Bool {
    let thread = Threads.current
    if state.withLock({ $0.takeOver(thread) }) { giveBack() }
    return isIdle
  }

  /// Whether something waits.
  var hasWork: Bool { state.withLock { !$0.jobs.isEmpty } }
}
