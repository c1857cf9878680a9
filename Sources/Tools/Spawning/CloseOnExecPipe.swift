#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if canImport(Glibc)
  // The headers declare it only with extensions enabled.
  @_extern(c, "pipe2") private func pipe2(_ ends: UnsafeMutablePointer<Int32>, _ flags: Int32) -> Int32
#endif

/// A pipe whose ends are never inherited, not even by a process started at the same moment.
struct CloseOnExecPipe {
  let reading: Int32
  let writing: Int32

  /// Nil when the system has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    #else
      guard pipe(&ends) == 0 else { return nil }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    (reading, writing) = (ends[0], ends[1])
  }

  func closeReading() { Descriptor.close(reading) }
  func closeWriting() { Descriptor.close(writing) }
  func close() {
    closeReading()
    closeWriting()
  }
}
