#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif

  /// glibc's `pwritev2`, which the module map leaves out.
  @_extern(c, "pwritev2")
  func pwritev2(_ fd: Int32, _ iov: UnsafePointer<iovec>, _ count: Int32, _ offset: Int, _ flags: Int32) -> Int
#else
  import Darwin
#endif

/// Reading and writing the descriptors that the service speaks over.
package enum StandardStreams {
  /// What became of a write.
  package enum Written: Equatable, Sendable {
    /// So many bytes, perhaps none, without waiting.
    case bytes(Int)
    /// Nobody reads any more, or the descriptor fails.
    case broken
  }

  /// Puts something in the place of standard descriptors that the process was started without, lest a file of the store be
  /// opened there and written to as standard output or error. Using them fails as before.
  package static func fillGaps() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number, hence this one.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Moves the real standard output aside and points descriptor 1 at standard error, so that a stray print cannot harm the
  /// stream. Returns the descriptor to write to.
  package static func takeOutput() -> Int32 {
    let real = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard real >= 0 else { return 1 }
    dup2(2, 1)
    return real
  }

  /// Pushes out what was printed through the library, which keeps it back while nobody sits at a terminal.
  package static func flushPrinted() { fflush(nil) }

  /// Reads what is there, waiting for at least one byte; 0 at the end, nil when the descriptor fails.
  package static func read(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      #if os(Linux)
        #if canImport(Musl)
          let count = Musl.read(descriptor, space.baseAddress, space.count)
        #else
          let count = Glibc.read(descriptor, space.baseAddress, space.count)
        #endif
      #else
        let count = Darwin.read(descriptor, space.baseAddress, space.count)
      #endif
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        // Somebody else made the shared description non-blocking.
        _ = isReady(descriptor, Int16(POLLIN), timeout: -1)
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// Writes as much as goes without waiting, and without changing the flags that the descriptor may share with others.
  package static func writeWithoutWaiting(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return .bytes(0) }
    #if os(Linux)
      var vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: base), iov_len: bytes.count)
      // RWF_NOWAIT, for this call only; at the descriptor's own position.
      let count = pwritev2(descriptor, &vector, 1, -1, 0x08)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EPIPE, EBADF, EIO, ECONNRESET: return .broken
      default: return .bytes(0)
      }
    #else
      guard isReady(descriptor, Int16(POLLOUT), timeout: 0) else { return .bytes(0) }
      // What poll promises to fit a pipe.
      let count = Darwin.write(descriptor, base, min(bytes.count, 4096))
      if count >= 0 { return .bytes(count) }
      return errno == EPIPE || errno == EBADF || errno == EIO ? .broken : .bytes(0)
    #endif
  }

  /// Writes at least one byte, waiting as long as it takes.
  package static func writeWaiting(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
    while true {
      #if os(Linux)
        #if canImport(Musl)
          let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
          let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      #else
        let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        _ = isReady(descriptor, Int16(POLLOUT), timeout: -1)
      } else if errno != EINTR {
        return .broken
      }
    }
  }

  /// Whether the descriptor is ready for the poll events, after waiting up to `timeout` milliseconds (−1: for ever).
  package static func isReady(_ descriptor: Int32, _ events: Int16, timeout: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      let count = poll(&entry, 1, timeout)
      if count >= 0 { return count > 0 && entry.revents & (events | Int16(POLLHUP)) != 0 }
      if errno != EINTR { return false }
    }
  }

  /// Whether there is something to read, or the end, within so many milliseconds.
  package static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    isReady(descriptor, Int16(POLLIN), timeout: milliseconds)
  }

  /// Whether a log line of up to 4,096 bytes can be written to standard error without waiting.
  package static var errorHasRoom: Bool { isReady(2, Int16(POLLOUT), timeout: 0) }

  /// Whether the other end of a pipe being written to is gone.
  package static func isBroken(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR) != 0
  }

  /// Whether a person sits at the other end.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
