#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

#if os(Linux)
  /// The C library's `statx`, which the module map omits.
  @_extern(c, "statx")
  private func systemFacts(
    _ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mask: UInt32, _ buffer: UnsafeMutableRawPointer
  ) -> Int32
#else
  // Elsewhere `fstat` is used.
#endif

/// The metadata of a file, without its times.
///
/// Since 6.13, Linux gives a file fine-grained times once they have been queried, and each such time costs an inode
/// write. Querying them after each change made a durable write 50 % slower, so they are not requested.
package struct FileFacts: Sendable {
  /// Kind and permissions, as `st_mode` has them.
  package var mode: UInt32 = 0
  /// Length in bytes.
  package var size = 0
  package var owner: UInt32 = 0
  /// The number of hard links.
  package var linkCount: UInt64 = 0
  /// Device and inode, which together identify the file.
  package var device: UInt64 = 0
  package var inode: UInt64 = 0

  #if os(Linux)
    /// Type, mode, link count, owner, inode, size.
    private static let wanted: UInt32 = 0x1 | 0x2 | 0x4 | 0x8 | 0x100 | 0x200
    /// The length of the kernel's structure.
    private static let length = 256

    /// Reads the metadata of an open file.
    ///
    /// - Returns: 0, else -1 with `errno` set.
    package mutating func look(at descriptor: Int32) -> Int32 { look("", in: descriptor, 0x1000) }

    /// Reads the metadata of a name in an open folder; does not follow a symbolic link.
    package mutating func look(at name: String, in directory: Int32) -> Int32 { look(name, in: directory, 0x100) }

    private mutating func look(_ name: String, in directory: Int32, _ flags: Int32) -> Int32 {
      withUnsafeTemporaryAllocation(byteCount: FileFacts.length, alignment: 8) { buffer in
        guard let base = buffer.baseAddress else { return -1 }
        let result = systemFacts(directory, name, flags, FileFacts.wanted, base)
        // A sandbox may reject the call.
        if result != 0, errno == ENOSYS || errno == EPERM { return lookWithTimes(name, in: directory, flags) }
        guard result == 0 else { return result }
        func word(_ offset: Int) -> UInt64 { buffer.load(fromByteOffset: offset, as: UInt64.self) }
        func half(_ offset: Int) -> UInt32 { buffer.load(fromByteOffset: offset, as: UInt32.self) }
        (linkCount, owner, mode) = (
          UInt64(half(16)), half(20), UInt32(buffer.load(fromByteOffset: 28, as: UInt16.self))
        )
        (inode, size, device) = (word(32), Int(clamping: word(40)), UInt64(half(136)) << 32 | UInt64(half(140)))
        return 0
      }
    }
  #else
    /// Reads the metadata of an open file.
    ///
    /// - Returns: 0, else -1 with `errno` set.
    package mutating func look(at descriptor: Int32) -> Int32 {
      var status = stat()
      let result = fstat(descriptor, &status)
      if result == 0 { fill(from: status) }
      return result
    }

    /// Reads the metadata of a name in an open folder; does not follow a symbolic link.
    package mutating func look(at name: String, in directory: Int32) -> Int32 {
      lookWithTimes(name, in: directory, AT_SYMLINK_NOFOLLOW)
    }
  #endif

  package init() {}

  private mutating func lookWithTimes(_ name: String, in directory: Int32, _ flags: Int32) -> Int32 {
    var status = stat()
    let result = fstatat(directory, name, &status, flags)
    if result == 0 { fill(from: status) }
    return result
  }

  private mutating func fill(from status: stat) {
    (mode, size, owner) = (UInt32(status.st_mode), Int(status.st_size), UInt32(status.st_uid))
    linkCount = UInt64(truncatingIfNeeded: status.st_nlink)
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }
}
