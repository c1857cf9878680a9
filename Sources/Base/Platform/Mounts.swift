#if os(Linux)
  #if canImport(Musl)
    import Musl
  #else
    import Glibc
  #endif
#else
  import Darwin
#endif

/// What the system says of the file systems that files are on.
package enum Mounts {
  /// What kind of file system something is on.
  package enum Kind: Sendable, Equatable {
    /// One of this machine, as far as is known.
    case local
    /// Another machine's; its kind's name.
    case network(String)
    /// One that a program plays (FUSE).
    case program
  }

  #if os(Linux)
    /// What an open file or folder is on.
    package static func kind(of descriptor: Int32) -> Kind {
      // Swift's modules lack the structure; its first member is all that is wanted of its 120 bytes.
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
        guard let base = buffer.baseAddress, systemStatus(descriptor, base) == 0 else { return .local }
        return kind(ofType: UInt32(truncatingIfNeeded: base.load(as: Int.self)))
      }
    }

    /// The numbers of linux/magic.h, and of the file systems that are not in it.
    static func kind(ofType type: UInt32) -> Kind {
      switch type {
      case 0x6969: .network("NFS")
      case 0x517B, 0xFF53_4D42, 0xFE53_4D42: .network("SMB")
      case 0x0102_1997: .network("9P")
      case 0x00C3_6400: .network("Ceph")
      case 0x5346_414F, 0x6B41_4653: .network("AFS")
      case 0x6573_5546: .program
      default: .local
      }
    }
  #else
    /// What an open file or folder is on.
    package static func kind(of descriptor: Int32) -> Kind {
      var status = statfs()
      guard fstatfs(descriptor, &status) == 0 else { return .local }
      return status.f_flags & UInt32(bitPattern: MNT_LOCAL) == 0 ? .network("a network volume") : .local
    }
  #endif
}

#if os(Linux)
  @_extern(c, "fstatfs")
  private func systemStatus(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer) -> Int32
#else
  // There the module has it.
#endif
