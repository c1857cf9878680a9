#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// Tells when something happens to files and folders. A hint only: it may be late, or miss what another machine does, so the caller
  /// uses it looks for itself as well from time to time.
  package final class FolderEvents: Sendable {
    private let queue: Int32

    /// Nil when the system has none to give.
    package init?() {
      queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      if queue < 0 { return nil }
    }

    deinit { close(queue) }

    /// Waits until something happened at one of the paths, or the time (milliseconds) is up; says which. Paths that are not
    /// there are left out; those given before are still watched.
    package func wait(at paths: [String], milliseconds: Int32) -> Bool {
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
      for path in paths { inotify_add_watch(queue, path, mask) }
      var state = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, milliseconds) > 0 else { return false }
      // What exactly happened is of no interest.
      withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
        while read(queue, buffer.baseAddress, buffer.count) > 0 {}
      }
      return true
    }
  }
#else
  import Darwin

  /// Tells when something happens to files and folders. A hint only: it may be late, or miss what another machine does, so the caller
  /// uses it looks for itself as well from time to time.
  package final class FolderEvents: Sendable {
    private let queue: Int32

    /// Nil when the system has none to give.
    package init?() {
      queue = kqueue()
      if queue < 0 { return nil }
    }

    deinit { close(queue) }

    /// Waits until something happened at one of the paths, or the time (milliseconds) is up; says which. Paths that are not
    /// there are left out.
    package func wait(at paths: [String], milliseconds: Int32) -> Bool {
      let files = paths.map { open($0, O_EVTONLY | O_CLOEXEC) }.filter { $0 >= 0 }
      defer { for file in files { close(file) } }
      let interest = UInt32(NOTE_WRITE | NOTE_EXTEND | NOTE_DELETE | NOTE_RENAME)
      let changes = files.map { file in
        kevent(
          ident: UInt(file), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: interest, data: 0,
          udata: nil)
      }
      var limit = timespec(tv_sec: Int(milliseconds / 1000), tv_nsec: Int(milliseconds % 1000) * 1_000_000)
      var event = kevent()
      return kevent(queue, changes, Int32(changes.count), &event, 1, &limit) > 0
    }
  }
#endif
