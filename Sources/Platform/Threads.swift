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
  @discardableResult
  package static func start(stackSize: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(Box(body: body))
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

  /// Has the calling thread run only while no other has anything to do, where the system knows such a thing.
  package static func giveWay() {
    #if os(Linux)
      var parameters = sched_param()
      parameters.sched_priority = 0
      // SCHED_IDLE; the call is about the calling thread, and whether it works is of no importance.
      _ = sched_setscheduler(0, 5, &parameters)
    #else
      pthread_set_qos_class_self_np(QOS_CLASS_BACKGROUND, 0)
    #endif
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
    if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
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
    init(body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
