#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if os(Linux)
  /// glibc's `pwritev2`, which the module map omits.
  @_extern(c, "pwritev2")
  func pwritev2(_ fd: Int32, _ iov: UnsafePointer<iovec>, _ count: Int32, _ offset: Int, _ flags: Int32) -> Int
#else
  // Elsewhere `poll` does.
#endif

// The system calls, whose names the methods below hide.
private func readBytes(_ descriptor: Int32, _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, target, count)
}
private func writeBytes(_ descriptor: Int32, _ source: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, source, count)
}

/// Reads and writes on the descriptors of the connection.
package enum StandardStreams {
  /// The outcome of a write.
  package enum Written: Equatable, Sendable {
    /// The number of bytes written, possibly 0.
    case bytes(Int)
    /// The reader has closed its end, or the descriptor fails.
    case broken
  }

  /// Opens `/dev/null` for each missing standard descriptor, so that no store file gets its number and receives output.
  /// Using such a descriptor fails as before.
  package static func fillMissingDescriptors() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, which is this one.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// Moves the real standard output aside and points descriptor 1 at standard error, so that a stray print cannot
  /// corrupt the stream. Returns the descriptor to write to.
  package static func redirectOutput() -> Int32 {
    let real = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard real >= 0 else { return 1 }
    dup2(2, 1)
    return real
  }

  /// Flushes the C library's output buffers, which it keeps unless the output is a terminal.
  package static func flushPrintBuffers() { fflush(nil) }

  /// Reads available bytes, blocking for the first; returns 0 at the end, nil when the descriptor fails.
  package static func read(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = readBytes(descriptor, space.baseAddress, space.count)
      if count >= 0 { return count }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        // Another process made the shared file description non-blocking.
        _ = isReady(descriptor, Int16(POLLIN), timeout: -1)
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// Writes what fits without blocking; leaves the flags of the descriptor unchanged, as it may be shared. A full pipe
  /// of the usual capacity is enlarged.
  package static func writeWithoutWaiting(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return .bytes(0) }
    #if os(Linux)
      var vector = iovec(iov_base: UnsafeMutableRawPointer(mutating: base), iov_len: bytes.count)
      // RWF_NOWAIT applies to this call only; offset -1 is the current position.
      let count = pwritev2(descriptor, &vector, 1, -1, 0x08)
      let error = count < 0 ? errno : 0
      if error == EPIPE || error == EBADF || error == EIO || error == ECONNRESET { return .broken }
      let written = max(0, count)
      guard written < bytes.count, enlargePipe(descriptor) else { return .bytes(written) }
      return switch writeWithoutWaiting(descriptor, UnsafeRawBufferPointer(rebasing: bytes[written...])) {
      case .bytes(let more): .bytes(written + more)
      case .broken: .broken
      }
    #else
      guard isReady(descriptor, Int16(POLLOUT), timeout: 0) else { return .bytes(0) }
      // `poll` guarantees room for this much in a pipe.
      let count = writeBytes(descriptor, base, min(bytes.count, 4096))
      if count >= 0 { return .bytes(count) }
      return errno == EPIPE || errno == EBADF || errno == EIO ? .broken : .bytes(0)
    #endif
  }

  #if os(Linux)
    /// Gives a pipe of the usual capacity, 64 KiB, the greatest that every user may, so that a long reply leaves at
    /// once: a thread that waits for room would share a processor with the reader it waits for. False when it has
    /// another capacity, or is no pipe.
    private static func enlargePipe(_ descriptor: Int32) -> Bool {
      // `F_GETPIPE_SZ` and `F_SETPIPE_SZ`, which the module map omits.
      fcntl(descriptor, 1032) == 65536 && fcntl(descriptor, 1031, 1 << 20) > 65536
    }
  #else
    // Elsewhere a pipe's capacity cannot be set.
  #endif

  /// Writes at least one byte, blocking as needed.
  package static func writeWaiting(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Written {
    while true {
      let count = writeBytes(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return .bytes(count) }
      if errno == EAGAIN || errno == EWOULDBLOCK {
        _ = isReady(descriptor, Int16(POLLOUT), timeout: -1)
      } else if errno != EINTR {
        return .broken
      }
    }
  }

  /// Whether the descriptor is ready for the poll events within `timeout` milliseconds (−1: no limit).
  package static func isReady(_ descriptor: Int32, _ events: Int16, timeout: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      let count = poll(&entry, 1, timeout)
      if count >= 0 { return count > 0 && entry.revents & (events | Int16(POLLHUP)) != 0 }
      if errno != EINTR { return false }
    }
  }

  /// Whether a read would not block within `milliseconds`.
  package static func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    isReady(descriptor, Int16(POLLIN), timeout: milliseconds)
  }

  /// Whether standard error accepts a log line of up to 4,096 bytes without blocking.
  package static var errorHasRoom: Bool { isReady(2, Int16(POLLOUT), timeout: 0) }

  /// Whether the reading end of a pipe is closed.
  package static func isBroken(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) > 0 && entry.revents & Int16(POLLERR) != 0
  }

  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
