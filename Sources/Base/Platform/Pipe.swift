#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A pipe within this process.
package struct Pipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// Nil when the system has no descriptors left.
  package init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Writes all bytes, blocking until the reader takes them.
  package func write(_ bytes: [UInt8]) { StandardStreams.writeAll(writing, bytes) }

  package func closeWriting() { close(writing) }

  package func closeReading() { close(reading) }

  /// Reads until the writing end is closed.
  package func readAll() -> [UInt8] { StandardStreams.readAll(reading) ?? [] }
}
