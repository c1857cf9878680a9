#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The lock of a file, held as long as this is kept.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Nil when the file is not there or somebody else has its lock.
  init?(_ path: String) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }
}
