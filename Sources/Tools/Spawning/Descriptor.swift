#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// The system calls, whose names the methods below hide.
private func readBytes(_ descriptor: Int32, _ target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, target, count)
}
private func writeBytes(_ descriptor: Int32, _ source: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, source, count)
}
private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

/// System calls on descriptors, under names that methods may also have.
package enum Descriptor {
  /// Reads available bytes, blocking for the first unless the descriptor is non-blocking; returns 0 at the end, nil on
  /// failure.
  package static func read(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count = readBytes(descriptor, space.baseAddress, space.count)
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Writes what fits, blocking for the first byte unless the descriptor is non-blocking; nil on failure.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      let count = writeBytes(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Writes all bytes, blocking until the reader takes them; false on failure.
  package static func writeAll(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var at = 0
      while at < bytes.count {
        guard let count = write(descriptor, UnsafeRawBufferPointer(rebasing: bytes[at...])) else { return false }
        at += count
      }
      return true
    }
  }

  package static func close(_ descriptor: Int32) { closeDescriptor(descriptor) }
}
