import Platform

/// Where the session's code runs: a thread of its own, or the reader's, which borrows the executor while nobody else has it.
///
/// Borrowing is what makes a small request cheap: it is read, answered and its reply written on one thread, without a hop.
/// Isolation is still the compiler's to check; at run time it is the id of the owning thread.
final class SessionExecutor: SerialExecutor {
  /// Something that waits for its turn.
  fileprivate enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  fileprivate struct State {
    var jobs: [Work] = []
    /// What only the session's own thread takes, and only when nothing else is to be done.
    var idleJobs: [@Sendable () -> Void] = []
    /// The thread that runs the session's code now; 0 when none does.
    var owner: UInt = 0
    var hasThread = false
    var isParked = false
  }

  fileprivate let state = Guarded(State())
  private let parker = Parker()

  func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

  /// Runs `body` when its turn has come, without a task: those begin on the runtime's own threads, which need descriptors when they
  /// are first used, and end the process if there are none.
  func enqueue(_ body: @escaping @Sendable () -> Void) { enqueue(.body(body)) }

  /// Runs `body` on the session's own thread once nothing else waits. It keeps nobody from borrowing before it has begun, so that it
  /// must be short.
  func enqueueWhenIdle(_ body: @escaping @Sendable () -> Void) {
    wake { $0.idleJobs.append(body) }
  }

  private func enqueue(_ job: Work) {
    wake { $0.jobs.append(job) }
  }

  /// Adds something, and sees to it that somebody looks for it.
  private func wake(_ add: (inout State) -> Void) {
    let (startsThread, wakes) = state.withLock { state -> (Bool, Bool) in
      add(&state)
      // An owner looks for jobs before it lets go, and wakes the thread for idle ones.
      guard state.owner == 0 else { return (false, false) }
      return state.callThread()
    }
    rouse(startsThread, wakes)
  }

  private func rouse(_ startsThread: Bool, _ wakes: Bool) {
    // As deep a stack as the reader's thread has: a message may be nested as deeply here as there.
    // Where the system has no thread to give now, the next job asks again.
    if startsThread, !Threads.start(stackSize: 8 << 20, { [self] in run() }) {
      state.withLock { $0.hasThread = false }
    }
    if wakes { parker.unpark() }
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
    return state.withLock { state in
      guard state.owner == 0, state.jobs.isEmpty else { return false }
      state.owner = thread
      return true
    }
  }

  /// Gives the executor back, after running what came in meanwhile.
  func giveBack() {
    while let job = state.withLock({ $0.next() }) { perform(job) }
    let (startsThread, wakes) = state.withLock { state in
      state.owner == 0 && !state.idleJobs.isEmpty ? state.callThread() : (false, false)
    }
    rouse(startsThread, wakes)
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
      let work = state.withLock { state -> Work? in
        guard state.owner == 0, let work = state.takeFirst() else {
          state.isParked = true
          return nil
        }
        state.owner = thread
        return work
      }
      if let work {
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
    let isOurs = state.withLock { state in
      guard state.owner == 0 || state.owner == thread else { return false }
      state.owner = thread
      return true
    }
    if isOurs { giveBack() }
    return isIdle
  }

  /// Whether something waits.
  var hasWork: Bool { state.withLock { !$0.jobs.isEmpty } }
}

extension SessionExecutor.State {
  /// Whether the thread has to be started, or to be woken.
  fileprivate mutating func callThread() -> (starts: Bool, wakes: Bool) {
    if !hasThread {
      hasThread = true
      return (true, false)
    }
    defer { isParked = false }
    return (false, isParked)
  }

  /// What comes next, idle jobs last.
  fileprivate mutating func takeFirst() -> SessionExecutor.Work? {
    if !jobs.isEmpty { return jobs.removeFirst() }
    return idleJobs.isEmpty ? nil : .body(idleJobs.removeFirst())
  }

  /// The next job of the owner; without one, nobody is the owner any more.
  fileprivate mutating func next() -> SessionExecutor.Work? {
    guard !jobs.isEmpty else {
      owner = 0
      return nil
    }
    return jobs.removeFirst()
  }
}
