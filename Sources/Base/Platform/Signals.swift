#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Signals that a thread waits for, instead of handlers.
package enum Signals {
  /// The termination signals.
  private static var ending: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  /// Ignores SIGPIPE and SIGXFSZ: a closed reader must show as a failed write, and an exceeded quota as a failed
  /// append.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Blocks the termination signals in all threads started afterwards, so that one thread can wait for them.
  package static func hold() {
    var set = ending
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits up to `milliseconds` for a termination signal; returns its name, or nil when none came.
  package static func next(within milliseconds: Int = 1000) -> String? {
    var set = ending
    #if os(Linux)
      var timeout = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      let number = sigtimedwait(&set, nil, &timeout)
    #else
      // There is no sigtimedwait; polls for a pending signal after each sleep.
      var pending = sigset_t()
      var number: Int32 = -1
      usleep(UInt32(milliseconds) * 1000)
      if sigpending(&pending) == 0, [SIGTERM, SIGINT, SIGHUP].contains(where: { sigismember(&pending, $0) == 1 }) {
        sigwait(&set, &number)
      }
    #endif
    switch number {
    case SIGTERM: return "SIGTERM"
    case SIGINT: return "SIGINT"
    case SIGHUP: return "SIGHUP"
    default: return nil
    }
  }
}
