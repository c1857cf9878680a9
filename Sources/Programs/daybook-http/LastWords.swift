#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// What is said when the library gives up: on Linux it ends the process over some answers that are no HTTP, such as half a head.
enum LastWords {
  /// From here on such an end is told as a connection that broke.
  static func prepare() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      signal(number) { _ in
        // Nothing here but what a handler of signals may do.
        let words: StaticString = "{\"error\":\"lost\",\"message\":\"the connection broke, or what came is no HTTP\"}\n"
        _ = write(1, words.utf8Start, words.utf8CodeUnitCount)
        _exit(0)
      }
    }
  }
}
