#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Calls on descriptors, under names that types can have methods of.
package enum Descriptor {
  /// Reads what is there, waiting for it unless the descriptor does not block; 0 at the end, nil when that failed.
  package static func read(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, space.baseAddress, space.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, space.baseAddress, space.count)
      #else
        let count = Darwin.read(descriptor, space.baseAddress, space.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Writes as much as is taken at once, waiting for the first unless the descriptor does not block; nil when that failed.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
    while true {
      #if canImport(Glibc)
        let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
        let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #else
        let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { return nil }
    }
  }

  /// Writes everything, waiting for the reader; whether it was taken.
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

  package static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
