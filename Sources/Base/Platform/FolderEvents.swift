#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reports changes of files and folders (inotify, kqueue). Only a hint: events may be late, and changes by other machines
/// may be missed, so callers also poll.
package final class FolderEvents: Sendable {
  private let queue: Int32

  /// Nil when the system has no event queue left.
  package init?() {
    #if os(Linux)
      queue = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    #else
      queue = kqueue()
    #endif
    if queue < 0 { return nil }
  }

  deinit { close(queue) }

  /// Waits up to `milliseconds` for an event at one of the paths; returns whether one came. Skips missing paths. On Linux,
  /// paths of earlier calls stay watched.
  package func wait(at paths: [String], milliseconds: Int32) -> Bool {
    #if os(Linux)
      let mask = UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF)
      for path in paths { inotify_add_watch(queue, path, mask) }
      var state = pollfd(fd: queue, events: Int16(POLLIN), revents: 0)
      guard poll(&state, 1, milliseconds) > 0 else { return false }
      // Drains the queue: the kinds of the events do not matter.
      withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
        while read(queue, buffer.baseAddress, buffer.count) > 0 {}
      }
      return true
    #else
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
    #endif
  }
}
