#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pipe whose ends no other process inherits, provided that nobody starts one at this very moment.
struct Pipe {
  /// The end that is read from.
  let reading: Int32
  /// The end that is written to.
  let writing: Int32

  /// Opens one.
  init() throws(WireError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system("pipe: \(SystemText.error(errno))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Makes calls on an end return at once when they would have to wait.
  static func unblock(_ end: Int32) { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
}

/// Words of the system.
enum SystemText {
  /// What an error number means.
  static func error(_ number: Int32) -> String { strerror(number).map { String(cString: $0) } ?? "error \(number)" }

  /// The value of a variable of the environment.
  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
