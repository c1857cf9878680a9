#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An exclusive lock on a file between processes (`flock`); held until this object or the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Acquires the lock without waiting; nil when another process holds it, or the file cannot be opened or created.
  package init?(path: String) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { return nil }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      close(opened)
      return nil
    }
    descriptor = opened
    self.path = path
  }

  /// Replaces the lock file, which takes the lock from its holder; the holder notices by `isCurrent`. Nil when the
  /// file cannot be created.
  package convenience init?(stealing path: String) {
    unlink(path)
    self.init(path: path)
  }

  /// Whether the locked file is still the one at its path; false when the file or its folder was replaced.
  package var isCurrent: Bool {
    var (mine, present) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(path, &present) == 0 && mine.st_ino == present.st_ino
      && mine.st_dev == present.st_dev
  }

  deinit { close(descriptor) }
}
