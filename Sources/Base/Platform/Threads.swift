#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Threads of our own.
package enum Threads {
  /// Starts a detached thread that runs `body`; returns false when it cannot be started.
  ///
  /// - Parameter yields: Whether `yieldIfDue` has an effect on the thread. Threads that it starts inherit this.
  @discardableResult
  package static func start(
    stackSize: Int = 1 << 20, yields: Bool = false, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let box = Unmanaged.passRetained(Box(body: body, yields: yields || pthread_getspecific(lastYield) != nil))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackSize)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    #if os(Linux)
      var thread = pthread_t()
      let status = pthread_create(&thread, &attributes, { Threads.run($0) }, box.toOpaque())
    #else
      var thread: pthread_t?
      let status = pthread_create(&thread, &attributes, { Threads.run($0) }, box.toOpaque())
    #endif
    if status != 0 { box.release() }
    return status == 0
  }

  /// Starts a thread of lower priority for long-running work, so that small requests are not delayed on a machine with
  /// few processors.
  ///
  /// - Parameter isAwaited: Whether a client is waiting for the result.
  @discardableResult
  package static func startHeavy(isAwaited: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
    start(stackSize: 8 << 20) {
      #if os(Linux)
        // The first 0 is `PRIO_PROCESS`, which the libraries type differently; the second is the calling thread.
        // Against other runnable threads, nice 5 gets about a third of the time of another, nice 2 two thirds.
        setpriority(0, 0, isAwaited ? 2 : 5)
        // The current time slice was granted at the old priority.
        sched_yield()
      #else
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
      #endif
      noteYield()
      body()
    }
  }

  /// Yields the processor if this thread last yielded more than half a millisecond ago; does nothing on threads that do
  /// not yield. A kernel without preemption would take the processor away only at its next tick or two, 4 to 8 ms
  /// later.
  package static func yieldIfDue() {
    guard let last = pthread_getspecific(lastYield),
      Clock.monotonicNanoseconds() &- UInt64(UInt(bitPattern: last)) > 500_000
    else { return }
    sched_yield()
    noteYield()
  }

  /// Runs `body` without yielding, because it holds something that other threads wait for.
  package static func withoutYielding<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let last = pthread_getspecific(lastYield)
    pthread_setspecific(lastYield, nil)
    defer { pthread_setspecific(lastYield, last) }
    return try body()
  }

  /// Thread-local: on a yielding thread, when it started or last yielded, in nanoseconds; nil on others.
  private static let lastYield: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static func noteYield() {
    pthread_setspecific(lastYield, UnsafeRawPointer(bitPattern: UInt(Clock.monotonicNanoseconds())))
  }

  /// Runs `body` at idle priority where the system supports it, and at normal priority after `patience` milliseconds,
  /// so that it finishes even on a busy machine.
  package static func runIdle(atMost patience: Int32, _ body: () -> Void) {
    let period = IdlePeriod()
    guard period.begin() else { return body() }
    after(milliseconds: patience) { period.end() }
    body()
    period.end()
  }

  /// Runs `body` after a delay on a thread of its own; returns false when it cannot be started. The runtime's timers
  /// are not used: they need a descriptor at first use, and end the process if there is none.
  @discardableResult
  package static func after(milliseconds: Int32, _ body: @escaping @Sendable () -> Void) -> Bool {
    start {
      rest(milliseconds: milliseconds)
      body()
    }
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
    if box.yields { noteYield() }
    box.body()
    return nil
  }

  /// Sleeps, for polling what sends no event.
  package static func rest(milliseconds: Int32) { poll(nil, 0, milliseconds) }

  /// An id unique among living threads; never 0.
  package static var current: UInt {
    #if os(Linux)
      return UInt(pthread_self())
    #else
      return UInt(bitPattern: pthread_self())
    #endif
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    let yields: Bool
    init(body: @escaping @Sendable () -> Void, yields: Bool) { (self.body, self.yields) = (body, yields) }
  }
}

/// A period during which a thread runs at idle priority.
private final class IdlePeriod: Sendable {
  // Valid only while the thread lives, which it does until it has called `end`.
  private let thread = pthread_self()
  private let isOver = Guarded(false)

  /// Must be called on the thread itself; returns whether the system supports it.
  func begin() -> Bool { schedule(isIdle: true) }

  /// Restores the normal priority, once.
  func end() {
    isOver.withLock { isOver in
      if !isOver { _ = schedule(isIdle: false) }
      isOver = true
    }
  }

  private func schedule(isIdle: Bool) -> Bool {
    #if os(Linux)
      var parameters = sched_param()
      parameters.sched_priority = 0
      // 5 is `SCHED_IDLE`, which the headers hide; 0 is `SCHED_OTHER`.
      return pthread_setschedparam(thread, isIdle ? 5 : 0, &parameters) == 0
    #else
      // Here a thread can change only its own priority.
      guard pthread_equal(thread, pthread_self()) != 0 else { return false }
      return pthread_set_qos_class_self_np(isIdle ? QOS_CLASS_BACKGROUND : QOS_CLASS_DEFAULT, 0) == 0
    #endif
  }
}
