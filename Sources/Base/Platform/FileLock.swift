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
  package convenience init?(path: String) { self.init(path: path, LOCK_EX | LOCK_NB) }

  private init?(path: String, _ operation: Int32) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard opened >= 0 else { return nil }
    while flock(opened, operation) != 0 {
      guard errno == EINTR else {
        close(opened)
        return nil
      }
    }
    descriptor = opened
    self.path = path
  }

  /// Acquires the lock as soon as its holder releases it; nil if that takes longer than `milliseconds`, or once the lock
  /// is no longer wanted.
  ///
  /// The system has no limit for this wait, so another thread waits, perhaps longer than this call; it then releases the
  /// lock at once.
  package static func awaited(path: String, milliseconds: Int, while isWanted: () -> Bool) -> FileLock? {
    guard let wait = LockWait() else { return nil }
    guard Threads.start({ wait.give(FileLock(path: path, LOCK_EX)) }) else { return nil }
    return wait.take(milliseconds, while: isWanted)
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

/// Hands a lock from the thread that waits for it to the one that wants it.
private final class LockWait: Sendable {
  /// How long passes between two looks whether the lock is still wanted, in milliseconds.
  private static let look = 50

  private let pipe: Pipe
  private let state = Guarded<(lock: FileLock?, isWanted: Bool)>((nil, true))

  init?() {
    guard let pipe = Pipe() else { return nil }
    self.pipe = pipe
  }

  func give(_ lock: FileLock?) {
    state.withLock { if $0.isWanted { $0.lock = lock } }
    pipe.write([0])
  }

  func take(_ milliseconds: Int, while isWanted: () -> Bool) -> FileLock? {
    var left = milliseconds
    var given = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
    while left > 0, isWanted(), poll(&given, 1, Int32(min(left, LockWait.look))) <= 0 { left -= LockWait.look }
    return state.withLock { state in
      defer { state = (nil, false) }
      return state.lock
    }
  }

  deinit {
    pipe.closeReading()
    pipe.closeWriting()
  }
}
