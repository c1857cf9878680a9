#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// A turn that one process at a time can have, by the lock on a file; it is over when this is gone, or the process.
package final class FileTurn: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Takes the turn; nil when somebody has it, or the file cannot be opened or made. Waits for nobody.
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

  /// Takes the turn from the process that has it, which finds that it is over when it looks; nil when the file cannot be made.
  package convenience init?(seizing path: String) {
    unlink(path)
    self.init(path: path)
  }

  /// Whether the file that is locked is the one under its name: another one means that the folder was exchanged.
  package var isStillOurs: Bool {
    var (mine, present) = (stat(), stat())
    return fstat(descriptor, &mine) == 0 && lstat(path, &present) == 0 && mine.st_ino == present.st_ino
      && mine.st_dev == present.st_dev
  }

  deinit { close(descriptor) }
}
