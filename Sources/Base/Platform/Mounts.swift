#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The kinds of the file systems that files are on.
package enum Mounts {
  /// A kind of file system.
  package enum Kind: Sendable, Equatable {
    /// A local file system, as far as is known.
    case local
    /// A network file system, with its name.
    case network(String)
    /// A file system implemented by a program (FUSE).
    case program
  }

  #if os(Linux)
    /// What an open file or folder is on.
    package static func kind(of descriptor: Int32) -> Kind {
      // Swift's modules lack the structure of 120 bytes; only its first member is needed.
      withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
        guard let base = buffer.baseAddress, systemStatus(descriptor, base) == 0 else { return .local }
        return kind(ofType: UInt32(truncatingIfNeeded: base.load(as: Int.self)))
      }
    }

    /// Type numbers of linux/magic.h and of file systems that it lacks.
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
  // Elsewhere the module declares it.
#endif
