#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// Signals, taken by a thread that waits for them instead of by handlers.
package enum Signals {
  /// The requests to end that are waited for.
  private static var ending: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, signal) }
    return set
  }

  /// A reader that went away must show as a failed write, and a full quota as a failed append; neither may end the process.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps the requests to end from every thread started after this, so that one can wait for them.
  package static func hold() {
    var set = ending
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits up to so many milliseconds for a request to end, and returns its name; nil when none came.
  package static func next(within milliseconds: Int = 1000) -> String? {
    var set = ending
    #if os(Linux)
      var timeout = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
      let number = sigtimedwait(&set, nil, &timeout)
    #else
      // There is no sigtimedwait; a pending signal is looked for after each rest.
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
