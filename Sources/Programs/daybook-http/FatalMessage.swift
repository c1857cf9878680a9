#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reports crashes of the library: on Linux it traps on some malformed responses, such as half a header.
enum FatalMessage {
  /// From now on, reports a crash as a broken connection.
  static func prepare() {
    for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT] {
      signal(number) { _ in
        // Only calls that are safe in a signal handler.
        let words: StaticString =
          "{\"error\":\"lost\",\"message\":\"the connection broke, or the response is not HTTP\"}\n"
        _ = write(1, words.utf8Start, words.utf8CodeUnitCount)
        _exit(0)
      }
    }
  }
}
