#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// Threads of our own.
package enum Threads {
  /// Starts a thread that runs `body` and then ends. Returns whether it could be started.
  ///
  /// - Parameter givesWay: Whether `giveWay` has an effect on it. Threads that such a thread starts inherit it.
  @discardableResult
  package static func start(
    stackSize: Int = 1 << 20, givesWay: Bool = false, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let box = Unmanaged.passRetained(Box(body: body, givesWay: givesWay || pthread_getspecific(lastTurn) != nil))
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

  /// The same for work that takes long: where others have something to do, they come first, so that a small request is not kept
  /// waiting on a machine with few processors.
  ///
  /// - Parameter isAwaited: Whether a client waits for a result that it expects soon.
  @discardableResult
  package static func startHeavy(isAwaited: Bool = false, _ body: @escaping @Sendable () -> Void) -> Bool {
    start(stackSize: 8 << 20) {
      #if os(Linux)
        // `PRIO_PROCESS`, which the libraries type differently; here it is the calling thread alone. It has a third of another's time when
        // both have something to do, or two thirds, and all of it when nobody else has.
        setpriority(0, 0, isAwaited ? 2 : 5)
        // Its first turn was given to it before that.
        sched_yield()
      #else
        pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0)
      #endif
      noteTurn()
      body()
    }
  }

  /// Lets others have the processor for a moment, on a thread that gives way, if the last such moment is half a millisecond ago: a kernel
  /// that does not preempt takes it from a thread at its next tick, or the one after that, 4 to 8 ms later. Elsewhere it does nothing.
  package static func giveWay() {
    guard let last = pthread_getspecific(lastTurn),
      Clock.monotonicNanoseconds() &- UInt64(UInt(bitPattern: last)) > 500_000
    else { return }
    sched_yield()
    noteTurn()
  }

  /// Runs `body`, in which the calling thread does not give way: it holds something that others wait for.
  package static func keepingTurn<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let last = pthread_getspecific(lastTurn)
    pthread_setspecific(lastTurn, nil)
    defer { pthread_setspecific(lastTurn, last) }
    return try body()
  }

  /// Of a thread that gives way, when it began or last did, nanoseconds; of another, nothing.
  private static let lastTurn: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private static func noteTurn() {
    pthread_setspecific(lastTurn, UnsafeRawPointer(bitPattern: UInt(Clock.monotonicNanoseconds())))
  }

  /// Runs `body` on the calling thread while no other has anything to do, where the system knows such a thing; but when that has
  /// lasted so many milliseconds, like any other thread, so that it comes to its end on a machine that is never idle.
  package static func givingWay(atMost patience: Int32, _ body: () -> Void) {
    let turn = IdleTurn()
    guard turn.begin() else { return body() }
    after(milliseconds: patience) { turn.end() }
    body()
    turn.end()
  }

  /// Runs `body` after that time, on a thread of its own. The runtime's timers need a descriptor when they are first used, and end the
  /// process if there is none. Returns whether the thread could be started.
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
    if box.givesWay { noteTurn() }
    box.body()
    return nil
  }

  /// Lets the calling thread rest, for what nothing tells of when it comes about.
  package static func rest(milliseconds: Int32) { poll(nil, 0, milliseconds) }

  /// A number that no other living thread has; never 0.
  package static var current: UInt {
    #if os(Linux)
      return UInt(pthread_self())
    #else
      return UInt(bitPattern: pthread_self())
    #endif
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    let givesWay: Bool
    init(body: @escaping @Sendable () -> Void, givesWay: Bool) { (self.body, self.givesWay) = (body, givesWay) }
  }
}

/// The time in which a thread runs only when no other has anything to do.
private final class IdleTurn: Sendable {
  // It may only be touched while the thread lives, which it does until it has ended its turn itself.
  private let thread = pthread_self()
  private let isOver = Guarded(false)

  /// To be called by the thread itself; whether the system knows such a thing.
  func begin() -> Bool { schedule(isIdle: true) }

  /// Has the thread run like any other again. Only the first call does anything.
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
      // `SCHED_IDLE`, which the headers hide, or `SCHED_OTHER`.
      return pthread_setschedparam(thread, isIdle ? 5 : 0, &parameters) == 0
    #else
      // Only a thread itself can say so here; the system runs it to its end.
      guard pthread_equal(thread, pthread_self()) != 0 else { return false }
      return pthread_set_qos_class_self_np(isIdle ? QOS_CLASS_BACKGROUND : QOS_CLASS_DEFAULT, 0) == 0
    #endif
  }
}
